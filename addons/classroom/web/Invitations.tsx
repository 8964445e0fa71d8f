import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InvitedLearner } from '../contract/classroom.ts'
import { givenNameFirst } from '@trainyard/platform/contract/words/person-name.ts'
import { compareNaturally } from '@trainyard/platform/contract/words/natural-order.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { messageOf } from '@trainyard/platform/web/api/error.ts'
import { invalidate, query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { InvitationStatus } from '@trainyard/users/web/InvitationStatus.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './Class.module.css'

/** Poll interval in ms, because e-mails are delivered and links are opened while the dialog is open. */
const REFRESH_MS = 10_000

export default function Invitations({ training, close }: { training: TrainingQuery; close: () => void }) {
  const [searchText, setSearchText] = useState('')
  const invitations = useQuery({ ...query(api.classroom.invitations, training), refetchInterval: REFRESH_MS })
  return (
    <Dialog title="Invitations" wide close={close}>
      <Fetched query={invitations} loading={<Skeleton rows={6} height="2.5rem" />}>
        {({ learners }) => {
          const text = searchText.trim().toLowerCase()
          const visibleLearners = learners.filter(({ email, name }) => `${name} ${email}`.toLowerCase().includes(text))
          return (
            <div className="stack">
              <div className="ends">
                <p className="dim">{summaryOf(learners)}</p>
                <ResendToAll training={training} learners={learners} />
              </div>
              <TextInput
                type="search"
                aria-label="Search learners"
                placeholder="Search learners"
                {...controlledText(searchText, setSearchText)}
              />
              <ul className={styles.invitations} aria-label="Invitations">
                {visibleLearners
                  .toSorted((a, b) => rankOf(a) - rankOf(b) || compareNaturally(a.email, b.email))
                  .map((learner) => (
                    <Line key={learner.email} training={training} learner={learner} />
                  ))}
              </ul>
            </div>
          )
        }}
      </Fetched>
    </Dialog>
  )
}

/** Resends the invitation of every learner without an account whose mail server did not reject it. */
function ResendToAll({ training, learners }: { training: TrainingQuery; learners: readonly InvitedLearner[] }) {
  const waiting = learners.filter(({ joined, invitation }) => !joined && (invitation?.bounced ?? null) === null)
  /** Addresses of this dialog's mails, which a second try leaves out: a new link ends the one before. */
  const [sent, setSent] = useState<readonly string[]>([])
  const unsent = waiting.filter(({ email }) => !sent.includes(email))
  const resend = useMutation({
    // Sent in order, because the first call may ask for a confirmation, and each call sends an e-mail.
    async mutationFn() {
      for (const { email } of unsent) {
        await api.classroom.invite({ ...training, email })
        setSent((before) => [...before, email])
      }
      return unsent.length
    },
    onSuccess: (count) => notify.status(`${countOf(count, 'invitation')} ${count === 1 ? 'is' : 'are'} on the way.`),
    onError: (error) => notify.alert(`Not all invitations were sent. ${messageOf(error)}`, error),
    onSettled: () => invalidate('classroom', 'people', 'user', 'home'),
  })
  if (waiting.length < 2) return null
  return (
    <Button variant="default" disabled={resend.isPending || unsent.length === 0} onClick={() => resend.mutate()}>
      {resend.isPending
        ? `Sent ${sent.length} of ${waiting.length}`
        : sent.length === 0
          ? `Resend to all ${waiting.length}`
          : `Sent to ${sent.length}, resend to the other ${unsent.length}`}
    </Button>
  )
}

function Line({
  training,
  learner: { email, name, joined, invitation },
}: {
  training: TrainingQuery
  learner: InvitedLearner
}) {
  return (
    <li>
      <span>
        {name !== null && <strong>{givenNameFirst(name)} </strong>}
        <span className={name === null ? undefined : 'dim'}>{email}</span>
      </span>
      {joined ? (
        <span className="dim">Has an account</span>
      ) : (
        <InvitationStatus
          email={email}
          invitation={invitation}
          invite={(body, options) => api.classroom.invite({ ...training, ...body }, options)}
        />
      )}
    </li>
  )
}

/** Returns the rank of an invitation: rejected ones first, then unopened ones. */
function rankOf({ joined, invitation }: InvitedLearner): number {
  if (joined) return 3
  if (invitation === null || invitation.bounced !== null) return 0
  return invitation.openedAt === null ? 1 : 2
}

function summaryOf(learners: readonly InvitedLearner[]): string {
  const count = (rank: number) => learners.filter((learner) => rankOf(learner) === rank).length
  const counted = [
    { rank: 3, words: 'with an account' },
    { rank: 2, words: 'opened the link' },
    { rank: 1, words: 'not opened' },
    { rank: 0, words: 'rejected or not invited' },
  ].flatMap(({ rank, words }) => (count(rank) === 0 ? [] : `${count(rank)} ${words}`))
  return [countOf(learners.length, 'learner'), ...counted].join(' · ')
}
