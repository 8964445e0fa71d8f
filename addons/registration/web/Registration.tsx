import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { RegistrationLink, registrationLink } from '../contract/registration.ts'
import { LINK_STATE_LABELS, type LinkState } from '../contract/registration-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { CopyButton } from '@trainyard/platform/web/ui/CopyButton.tsx'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Lamp, type Signal } from '@trainyard/platform/web/ui/Lamp.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { WithoutTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { formatInstant } from '@trainyard/platform/web/ui/time.ts'
import styles from './Registration.module.css'

const LinkForm = lazy(() => import('./LinkForm.tsx'))
const Registrations = lazy(() => import('./Registrations.tsx'))

/** Poll interval in ms, because learners register while the page is open. */
const REFRESH_MS = 10_000

type Opened = { readonly what: 'change' | 'registrations' | 'rotate' | 'revoke'; readonly link: string } | null

export default function Registration() {
  const { trainingQuery } = useSelection()
  if (trainingQuery === null) return <WithoutTraining />
  return <LinksOf key={JSON.stringify(trainingQuery)} training={trainingQuery} />
}

function LinksOf({ training }: { training: TrainingQuery }) {
  const found = useQuery({ ...query(api.registrationLink.list, training), refetchInterval: REFRESH_MS })
  return (
    <Screen
      actions={
        <DialogButton
          icon={IconPlus}
          disabled={found.data === undefined}
          dialog={(close) => <LinkForm training={training} templates={found.data?.templates ?? []} close={close} />}
        >
          New Link
        </DialogButton>
      }
    >
      <p>
        Learners who open a link log in or create an account, take a seat, and open their machine. Give the link or the
        code only to learners who should register.
      </p>
      <Fetched query={found} loading={<Skeleton rows={3} height="3rem" />}>
        {(data) => <Links training={training} found={data} />}
      </Fetched>
    </Screen>
  )
}

function Links({ training, found }: { training: TrainingQuery; found: ReplyOf<typeof registrationLink.list> }) {
  const { timeZone } = useMe()
  const [opened, setOpened] = useState<Opened>(null)
  const columns = useMemo(() => columnsFor(timeZone, setOpened), [timeZone])
  const link = found.links.find(({ _id }) => _id === opened?.link)
  const close = () => setOpened(null)
  return (
    <>
      <DataTable
        label="Registration links"
        rows={found.links}
        rowId={({ _id }) => _id}
        columns={columns}
        empty="This training has no registration links yet."
        stacks
      />
      <Suspense>
        {link && opened?.what === 'change' && (
          <LinkForm training={training} templates={found.templates} link={link} close={close} />
        )}
        {link && opened?.what === 'registrations' && <Registrations link={link} close={close} />}
        {link && opened?.what === 'rotate' && <Rotate link={link} close={close} />}
        {link && opened?.what === 'revoke' && <Revoke link={link} close={close} />}
      </Suspense>
    </>
  )
}

const SIGNALS: Readonly<Record<LinkState, Signal>> = {
  open: 'clear',
  notOpen: 'still',
  closed: 'still',
  full: 'moving',
  broken: 'danger',
  revoked: 'gone',
}

function columnsFor(timeZone: string, open: (opened: Opened) => void): readonly Column<RegistrationLink>[] {
  return [
    {
      id: 'name',
      header: 'Link',
      value: ({ name }) => name,
      cell: (link) => (
        <div className={styles.link}>
          {link.name}
          <div className="dim">{settingsText(link, timeZone)}</div>
          {link.problem !== null && <div className={styles.problem}>{link.problem}</div>}
        </div>
      ),
    },
    { id: 'code', header: 'Code', width: '13rem', cell: (link) => <Code link={link} /> },
    {
      id: 'state',
      header: 'State',
      width: '9rem',
      value: ({ state }) => LINK_STATE_LABELS[state],
      cell: ({ state }) => <Lamp signal={SIGNALS[state]}>{LINK_STATE_LABELS[state]}</Lamp>,
    },
    {
      id: 'seats',
      header: 'Seats',
      width: '11rem',
      value: ({ taken }) => taken,
      cell: ({ taken, seats, pending, waiting }) => (
        <>
          {taken} of {seats} taken
          {pending > 0 && <div>{pending} to approve</div>}
          {waiting > 0 && <div className="dim">{waiting} on the waiting list</div>}
        </>
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      width: '14rem',
      cell: (link) => (
        <div className={styles.actions}>
          {(['registrations', 'change', 'rotate', 'revoke'] as const)
            .filter((what) => what === 'registrations' || link.state !== 'revoked')
            .map((what) => (
              <TextButton
                key={what}
                label={`${ACTIONS[what].label} ${link.name}`}
                onClick={() => open({ what, link: link._id })}
              >
                {ACTIONS[what].text}
              </TextButton>
            ))}
        </div>
      ),
    },
  ]
}

const ACTIONS = {
  registrations: { text: 'Registrations', label: 'Registrations of' },
  change: { text: 'Change', label: 'Change' },
  rotate: { text: 'New code', label: 'New code for' },
  revoke: { text: 'Revoke', label: 'Revoke' },
} as const

function Code({ link: { name, code, url, state } }: { link: RegistrationLink }) {
  if (state === 'revoked') return null
  if (code === null || url === null) return <span className="dim">Cannot be read. Choose New code.</span>
  return (
    <span className={styles.code}>
      <code>{code}</code>
      <CopyButton text={url} label={`Copy the link ${name}`} />
    </span>
  )
}

function settingsText({ opensAt, closesAt, domains, needsApproval, machine }: RegistrationLink, timeZone: string) {
  const at = (instant: string) => formatInstant(instant, timeZone).replace(/:\d\d,/, ',')
  const parts = [
    opensAt !== null && `From ${at(opensAt)}`,
    closesAt !== null && `Until ${at(closesAt)}`,
    domains.length > 0 && `Only ${domains.join(', ')}`,
    needsApproval && 'With approval',
    machine === null
      ? 'Without machine'
      : `${machine.templateName ?? 'Template deleted'}, ${
          machine.allocatedHours === null ? 'no limit' : `${Math.round(machine.allocatedHours / 6) / 10} h`
        }`,
  ]
  return parts.filter((part) => part !== false).join('. ')
}

interface LinkDialogProps {
  link: RegistrationLink
  close: () => void
}

function Rotate({ link: { _id, name }, close }: LinkDialogProps) {
  const rotation = useAction(() => api.registrationLink.rotate({ link: _id }), {
    invalidates: ['registrationLink'],
    onDone: close,
  })
  return (
    <ConfirmDialog
      title={`New Code for ${name}`}
      confirm="Create the new code"
      busy={rotation.isPending && 'Creating...'}
      onConfirm={() => rotation.mutate()}
      close={close}
    >
      <p>The current code and link stop working immediately. Learners who registered keep their seats.</p>
    </ConfirmDialog>
  )
}

function Revoke({ link: { _id, name }, close }: LinkDialogProps) {
  const revocation = useAction(() => api.registrationLink.revoke({ link: _id }), {
    invalidates: ['registrationLink'],
    onDone: close,
  })
  return (
    <ConfirmDialog
      title={`Revoke ${name}`}
      confirm="Revoke"
      busy={revocation.isPending && 'Revoking...'}
      destroys
      onConfirm={() => revocation.mutate()}
      close={close}
    >
      <p>
        No learner can register with this link again, and the waiting list of the link is deleted. Learners who
        registered keep their seats and machines. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
