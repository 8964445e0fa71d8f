import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { ImportItem, labImport } from '../contract/lab-import.ts'
import { IMPORT_ITEM_LABELS, IMPORT_STATES, IMPORT_STATE_LABELS } from '../contract/lab-import-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useSaveFile } from '@trainyard/platform/web/api/file.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { controlledCheck, controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './LabImport.module.css'

const CutOver = lazy(() => import('./CutOver.tsx'))
const MakeTemplate = lazy(() => import('./MakeTemplate.tsx'))

const INVALIDATES = ['labImport', 'training'] as const
type Plan = ReplyOf<typeof labImport.plan>

interface LabPlanProps {
  lab: string
  templates: readonly string[]
  close: () => void
}

/** Dry run of one lab, and the actions on it. */
export default function LabPlan({ lab, templates, close }: LabPlanProps) {
  const plan = useQuery(query(api.labImport.plan, { lab }))
  return (
    <Dialog title={plan.data === undefined ? 'Dry Run' : `Dry Run of ${plan.data.lab.title}`} wide close={close}>
      <Fetched query={plan} loading={<Skeleton rows={4} height="3rem" />}>
        {(data) => <Plan key={data.lab.trainingName} plan={data} templates={templates} />}
      </Fetched>
    </Dialog>
  )
}

function Plan({ plan, templates }: { plan: Plan; templates: readonly string[] }) {
  const { lab, items } = plan
  const [ticked, setTicked] = useState<readonly string[]>([])
  const isMoved = lab.movedAt !== null
  return (
    <div className="stack">
      {!isMoved && <Choices plan={plan} templates={templates} />}
      <Actions plan={plan} ticked={ticked} applied={() => setTicked([])} />
      {IMPORT_STATES.map((state) => {
        const some = items.filter((item) => item.state === state)
        if (some.length === 0) return null
        return (
          <section key={state} aria-labelledby={`state-${state}`}>
            <h3 id={`state-${state}`}>
              {IMPORT_STATE_LABELS[state]} ({some.length})
            </h3>
            <ul className={styles.items}>
              {some.map((item) => (
                <Item
                  key={item.id}
                  item={item}
                  ticked={isMoved ? null : ticked.includes(item.id)}
                  tick={(on) =>
                    setTicked((before) => (on ? [...before, item.id] : before.filter((id) => id !== item.id)))
                  }
                />
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

const isTickable = ({ state, kind }: ImportItem): boolean =>
  state === 'conflict' || (state === 'leftover' && kind !== 'lab')

function Item({ item, ticked, tick }: { item: ImportItem; ticked: boolean | null; tick: (on: boolean) => void }) {
  const { kind, name, from, to, reason, todo } = item
  const values = from !== null && to !== null && from !== to ? `${from} → ${to}` : (to ?? from)
  return (
    <li>
      {ticked !== null && isTickable(item) ? (
        <Checkbox label={`${IMPORT_ITEM_LABELS[kind]}: ${name}`} {...controlledCheck(ticked, tick)} />
      ) : (
        <span>
          <span className="dim">{IMPORT_ITEM_LABELS[kind]}:</span> {name}
        </span>
      )}
      {values !== null && values !== name && <span>{values}</span>}
      {reason !== null && <span>{reason}</span>}
      {todo !== null && <span className="dim">{todo}</span>}
    </li>
  )
}

function Choices({ plan: { lab, newTemplate }, templates }: { plan: Plan; templates: readonly string[] }) {
  const isSuperadmin = useMe().role === 'superadmin'
  const [name, setName] = useState(lab.trainingName)
  const [making, setMaking] = useState(false)
  const choosing = useAction(
    (choice: { trainingName?: string; template?: string; usageComesAlong?: boolean }) =>
      api.labImport.choose({ lab: lab._id, ...choice }),
    { invalidates: ['labImport'] },
  )
  return (
    <div className={styles.choices}>
      <TextInput
        label="Training"
        readOnly={lab.importedAt !== null}
        {...controlledText(name, setName)}
        onBlur={() => name.trim() !== lab.trainingName && choosing.mutate({ trainingName: name.trim() })}
      />
      <NativeSelect
        label={lab.isProposed && lab.template !== null ? 'Template (proposed)' : 'Template'}
        data={[...(lab.template === null ? [{ value: '', label: 'Select a template' }] : []), ...templates]}
        {...controlledText(lab.template ?? '', (template) => template !== '' && choosing.mutate({ template }))}
      />
      <Checkbox
        label="Subtract the hours used so far"
        {...controlledCheck(lab.usageComesAlong, (usageComesAlong) => choosing.mutate({ usageComesAlong }))}
      />
      {isSuperadmin && (
        <Button variant="default" onClick={() => setMaking(true)}>
          Create a Template
        </Button>
      )}
      <Suspense>
        {making && <MakeTemplate lab={lab._id} proposed={newTemplate} close={() => setMaking(false)} />}
      </Suspense>
    </div>
  )
}

interface ActionsProps {
  plan: Plan
  ticked: readonly string[]
  applied: () => void
}

function Actions({ plan: { lab }, ticked, applied }: ActionsProps) {
  const [openDialog, setOpenDialog] = useState<'cut over' | 'roll back' | null>(null)
  const { saving, save } = useSaveFile()
  const importing = useAction(() => api.labImport.apply({ labs: [{ lab: lab._id, ticked: [...ticked] }] }), {
    invalidates: INVALIDATES,
    onDone: applied,
  })
  const rollback = useAction(() => api.labImport.rollBack({ lab: lab._id }), {
    invalidates: INVALIDATES,
    onDone: () => setOpenDialog(null),
  })
  const isMoved = lab.movedAt !== null
  const isImported = lab.importedAt !== null
  return (
    <div className={styles.actions}>
      {!isMoved && (
        <Button disabled={importing.isPending} onClick={() => importing.mutate()}>
          {importing.isPending ? 'Importing...' : isImported ? 'Import Again' : 'Import'}
        </Button>
      )}
      {!isMoved && isImported && (
        <Button variant="default" onClick={() => setOpenDialog('cut over')}>
          Cut Over
        </Button>
      )}
      {isImported && (
        <Button variant="default" onClick={() => setOpenDialog('roll back')}>
          Roll Back
        </Button>
      )}
      {(['pdf', 'csv'] as const).map((format) => (
        <Button
          key={format}
          variant="default"
          disabled={saving}
          onClick={() => void save(['labImport', 'report'], { lab: lab._id, format })}
        >
          Report as {format.toUpperCase()}
        </Button>
      ))}
      <Suspense>{openDialog === 'cut over' && <CutOver lab={lab} close={() => setOpenDialog(null)} />}</Suspense>
      {openDialog === 'roll back' && (
        <ConfirmDialog
          title="Roll Back"
          confirm="Roll Back"
          busy={rollback.isPending && 'Rolling back...'}
          destroys
          onConfirm={() => rollback.mutate()}
          close={() => setOpenDialog(null)}
        >
          <p>
            Removes the unused parts of the import of {lab.title}: its planned schedules, machines that never ran and
            were never opened, accounts that never signed in, the registration link, and the training if it has no other
            machines. Everything else stays. Learners get no e-mail about it.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}
