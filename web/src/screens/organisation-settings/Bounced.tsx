import { lazy, Suspense, useState } from 'react'
import { api } from '#src/api/client.ts'
import { useAction } from '#src/api/useAction.ts'
import { TextButton } from '#src/ui/TextButton.tsx'
import styles from './Bounced.module.css'

const CorrectAddress = lazy(() => import('./CorrectAddress.tsx'))

/** Cell with the user's address. Adds the mail server's reply and two actions if the invitation was rejected. */
export function Bounced({ email, bounced }: { email: string; bounced: { reason: string } | null }) {
  const [isOpen, setOpen] = useState(false)
  const resend = useAction(() => api.people.invite({ email }), { invalidates: ['people', 'user', 'home'] })
  if (bounced === null) return email
  return (
    <>
      {email}
      <span className={styles.bounced}>
        <span className={styles.reason}>Invitation rejected: {bounced.reason}</span>
        <TextButton label={`Edit the address ${email}`} onClick={() => setOpen(true)}>
          Edit address
        </TextButton>
        <TextButton
          label={`Resend the invitation of ${email}`}
          disabled={resend.isPending}
          onClick={() => resend.mutate()}
        >
          Resend
        </TextButton>
      </span>
      {isOpen && (
        <Suspense>
          <CorrectAddress email={email} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
