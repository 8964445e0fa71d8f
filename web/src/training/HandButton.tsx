import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { messageOf } from '#src/api/error.ts'
import { notify } from '#src/ui/notices.ts'
import styles from './HandButton.module.css'
import { refreshOwnClasses, useOwnClasses } from './own-class.ts'

interface HandButtonProps {
  /** The training, or a machine of the learner in it. */
  of: { readonly trainingName: string } | { readonly vmName: string }
}

export function HandButton({ of }: HandButtonProps) {
  const [busy, setBusy] = useState(false)
  const own = useOwnClasses().find(({ trainingName, machines }) =>
    'trainingName' in of ? trainingName === of.trainingName : machines.some(({ vmName }) => vmName === of.vmName),
  )
  if (own === undefined) return null
  const { trainingName, handRaisedAt } = own
  const isRaised = handRaisedAt !== null
  const change = async () => {
    if (busy) return
    setBusy(true)
    try {
      const call = isRaised ? api.classroom.lowerHand : api.classroom.raiseHand
      notify.status((await call({ trainingName })).message)
      await refreshOwnClasses()
    } catch (error) {
      notify.alert(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" className={styles.hand} data-raised={isRaised || undefined} onClick={() => void change()}>
      <svg width="18" height="18" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
        <path
          d="M6.5 11V5.2a1.2 1.2 0 0 1 2.4 0V9M8.9 9V3.7a1.2 1.2 0 0 1 2.4 0V9M11.3 9V4.7a1.2 1.2 0 0 1 2.4 0V10M13.7 8.2a1.2 1.2 0 0 1 2.4 0c0 5-1 8.8-5 8.8-3.2 0-4.3-2-6.6-5.6a1.2 1.2 0 0 1 2-1.3"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {isRaised ? 'Lower hand' : 'Raise hand'}
      <span className="visually-hidden"> in {trainingName}</span>
    </button>
  )
}
