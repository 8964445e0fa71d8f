import { NativeSelect, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useTrainings } from '@trainyard/platform/web/navigation/trainings.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { CloseButton, Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { pictureType } from './editor/edited-files.ts'
import { Findings } from './Findings.tsx'
import { GuideText, Picture, withoutTitle } from './GuideText.tsx'
import styles from './Library.module.css'
import { type Asked, type LibraryRow, nameOf, type Use, textOfUse } from './library-rows.tsx'
import { Placed } from './Placed.tsx'
import { Prove, ProofsOfVersion } from './ProofDialogs.tsx'

interface LibraryDialogProps {
  asked: Asked
  ask: (asked: Asked) => void
  organization: string
  whose: { readonly organization?: string }
  close: () => void
}

type OfRow = Omit<LibraryDialogProps, 'asked' | 'ask'> & { row: LibraryRow }

export default function LibraryDialog({ asked, ask, ...props }: LibraryDialogProps) {
  switch (asked.what) {
    case 'prove':
      return <Prove row={asked.row} {...props} />
    case 'proofs':
      return <ProofsOfVersion row={asked.row} {...props} prove={() => ask({ what: 'prove', row: asked.row })} />
    case 'delete':
      return <Delete row={asked.row} {...props} />
    case 'preview':
      return <Preview row={asked.row} {...props} />
    case 'publish':
      return <Publish row={asked.row} {...props} />
    case 'attach':
      return <Attach row={asked.row} {...props} />
    case 'retire':
      return <Retire row={asked.row} {...props} />
    case 'detach':
      return <Detach use={asked.use} {...props} />
  }
}

const refOf = ({ row: { guide, number }, whose }: OfRow) => ({ ...whose, guide, number })

function Preview({ row, whose, close }: OfRow) {
  const version = useQuery(query(api.guide.read, { ...whose, guide: row.guide, number: String(row.number) }))
  return (
    <Dialog title={nameOf(row)} wide close={close} foot={<CloseButton close={close} />}>
      <Fetched query={version} loading={<Skeleton rows={6} height="1.5rem" />}>
        {({ summary, reason, madeBy, contents, files, findings }) => (
          <>
            <p>{summary}</p>
            <p className="dim">
              {countOf(row.steps, 'step')}, {countOf(row.tasks, 'task')}, {countOf(row.points, 'point')}. Uploaded by{' '}
              {madeBy}, {countOf(files.length, 'file')}.{reason !== null && ` Published: ${reason}`}
            </p>
            {findings.length > 0 && <Findings title="Places to look at:" findings={findings} />}
            {contents.map(({ step, title, text }, index) => (
              <section key={step} className={styles.step} aria-label={title}>
                <h3>
                  {index + 1}. {title}
                </h3>
                <GuideText
                  nodes={withoutTitle(text, title)}
                  terminal={null}
                  place={Placed}
                  picture={(path, instead) => <StoredPicture row={row} whose={whose} path={path} text={instead} />}
                />
              </section>
            ))}
          </>
        )}
      </Fetched>
    </Dialog>
  )
}

function StoredPicture({ row, whose, path, text }: Pick<OfRow, 'row' | 'whose'> & { path: string; text: string }) {
  const { data } = useQuery(query(api.guide.files, { ...whose, guide: row.guide, number: String(row.number) }))
  const found = data?.files.find((each) => each.path === path)
  return (
    <Picture address={found === undefined ? null : `data:${pictureType(path)};base64,${found.bytes}`} text={text} />
  )
}

function Publish(props: OfRow) {
  const { row, close } = props
  const needsReason = row.proven === null
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const publishing = useAction(
    () => api.guide.publish({ ...refOf(props), ...(needsReason ? { reason: reason.trim() } : {}) }),
    { invalidates: ['guide'], onDone: close },
  )
  return (
    <FormDialog
      title={`Publish ${nameOf(row)}`}
      submit="Publish"
      busy={publishing.isPending && 'Publishing...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (!needsReason || reason.trim() !== '') publishing.mutate()
      }}
    >
      {row.proven !== null ? (
        <p>
          Proven on {row.proven.templateName}: <Instant at={row.proven.at} />. Trainings can then use it.
        </p>
      ) : (
        <>
          <p>This version is not proven on a template as it is now. Prove it first, or say why it can be used.</p>
          <Textarea
            label="Reason"
            rows={3}
            maxLength={500}
            data-autofocus
            {...controlledText(reason, setReason)}
            error={tried && reason.trim() === '' && <span role="alert">Enter a reason.</span>}
          />
        </>
      )}
    </FormDialog>
  )
}

const ALL_TEMPLATES = ''

function Attach(props: OfRow) {
  const { row, organization, close } = props
  const trainings = useTrainings(organization)
  const templates = useQuery(query(api.template.orderable, { organization }))
  const [training, setTraining] = useState('')
  const [template, setTemplate] = useState(ALL_TEMPLATES)
  const [tried, setTried] = useState(false)
  const attaching = useAction(
    () =>
      api.guide.attach({
        ...refOf(props),
        trainingName: training,
        templateName: template === ALL_TEMPLATES ? null : template,
      }),
    { invalidates: ['guide'], onDone: close },
  )
  return (
    <FormDialog
      title={`Attach ${nameOf(row)}`}
      submit="Attach"
      busy={attaching.isPending && 'Attaching...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (training !== '') attaching.mutate()
      }}
    >
      <NativeSelect
        label="Training"
        description="Takes the place of the guide that the training uses now. Results of learners are kept."
        data={[{ value: '', label: 'Choose a training' }, ...(trainings.data ?? [])]}
        {...controlledText(training, setTraining)}
        error={tried && training === '' && <span role="alert">Choose a training.</span>}
      />
      <NativeSelect
        label="Machines"
        data={[
          { value: ALL_TEMPLATES, label: 'Of all templates' },
          ...(templates.data?.templates ?? []).map(({ name }) => ({ value: name, label: `Of ${name}` })),
        ]}
        {...controlledText(template, setTemplate)}
      />
    </FormDialog>
  )
}

function Retire(props: OfRow) {
  const { row, close } = props
  return (
    <Confirm
      what="Retire"
      busy="Retiring..."
      title={nameOf(row)}
      close={close}
      change={() => api.guide.retire(refOf(props))}
    >
      {row.uses.length === 0 ? 'No training uses it.' : `${countOf(row.uses.length, 'training')} keep it.`} No further
      training can use it. This cannot be undone.
    </Confirm>
  )
}

function Delete({ row, whose, close }: OfRow) {
  const version = { ...whose, guide: row.guide, number: String(row.number) }
  return (
    <Confirm
      what="Delete"
      busy="Deleting..."
      title={nameOf(row)}
      close={close}
      change={() => api.guide.delete(version)}
    >
      Its files and proofs are deleted, which frees their space. A version with which learners have worked is kept. This
      cannot be undone.
    </Confirm>
  )
}

function Detach({ use, whose, close }: Omit<OfRow, 'row'> & { use: Use }) {
  const { trainingName, templateName } = use
  const detach = () => api.guide.detach({ ...whose, trainingName, templateName })
  return (
    <Confirm what="Detach" busy="Detaching..." title={`from ${textOfUse(use)}`} close={close} change={detach}>
      Learners of {trainingName} no longer see {use.title}. Their results are kept.
    </Confirm>
  )
}

interface ConfirmProps {
  what: string
  title: string
  busy: string
  change: () => Promise<{ readonly message: string }>
  close: () => void
  children: ReactNode
}

function Confirm({ what, title, busy, change, close, children }: ConfirmProps) {
  const changing = useAction(change, { invalidates: ['guide', 'proof'], onSettled: close })
  return (
    <ConfirmDialog
      title={`${what} ${title}`}
      confirm={what}
      busy={changing.isPending && busy}
      destroys
      onConfirm={() => changing.mutate()}
      close={close}
    >
      <p>{children}</p>
    </ConfirmDialog>
  )
}
