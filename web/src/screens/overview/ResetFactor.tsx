import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { invalidate, query } from '#src/api/queries.ts'
import { useMe } from '#src/session/me.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { notify } from '#src/ui/notices.ts'

/** Removes a person's second factor in two steps: a superadmin asks for it, another one confirms. */
export default function ResetFactor({ email, close }: { email: string; close: () => void }) {
  const me = useMe()
  const { data } = useQuery(query(api.secondFactor.resets))
  const waiting = data?.resets.find((reset) => reset.email === email)
  const step = waiting === undefined ? 'ask' : waiting.askedBy === me.email ? 'withdraw' : 'confirm'
  const { call, confirm, sentence } = STEPS[step]
  const doing = useMutation({
    mutationFn: () => call({ email }),
    onSuccess: (reply) => {
      notify.status(reply.message)
      close()
      return invalidate('secondFactor')
    },
    onError: (error) => {
      notify.alert(error.message)
      close()
    },
  })
  return (
    <ConfirmDialog
      title={`Second factor of ${email}`}
      confirm={confirm}
      busy={(doing.isPending || data === undefined) && 'One moment...'}
      destroys={step === 'confirm'}
      onConfirm={() => doing.mutate()}
      close={close}
    >
      {waiting && <p>{`${waiting.askedBy} asked for a reset.`}</p>}
      <p>{sentence}</p>
    </ConfirmDialog>
  )
}

const STEPS = {
  ask: {
    call: api.secondFactor.askReset,
    confirm: 'Ask for a reset',
    sentence:
      'Somebody who lost their app, passkeys and recovery codes can’t sign in. Make sure by another way that it is they who ask. Another superadmin must confirm the reset within 24 hours.',
  },
  confirm: {
    call: api.secondFactor.confirmReset,
    confirm: 'Confirm the reset',
    sentence:
      'Their app, passkeys and recovery codes are removed, and their sessions end. The password alone signs them in again.',
  },
  withdraw: {
    call: api.secondFactor.withdrawReset,
    confirm: 'Withdraw the reset',
    sentence: 'You asked for it: another superadmin must confirm it. You may withdraw it.',
  },
} as const
