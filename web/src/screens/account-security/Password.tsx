import { Button, PasswordInput } from '@mantine/core'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { useId, useState } from 'react'
import { PASSWORD_LENGTH_MIN } from '@trainyard/contract/words/limits.ts'
import { api } from '#src/api/client.ts'
import { invalidate } from '#src/api/queries.ts'
import { useDedupedMutation } from '#src/api/useDedupedMutation.ts'
import { useMe } from '#src/session/me.ts'
import { notify } from '#src/ui/notices.ts'
import styles from './AccountSecurity.module.css'

const SHOW = { 'aria-label': 'Show the password', tabIndex: 0 }

export function Password() {
  const heading = useId()
  const { email } = useMe()
  const [password, setPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const [tried, setTried] = useState(false)
  const empty = () => {
    setPassword('')
    setNewPassword('')
    setTried(false)
  }
  const change = useDedupedMutation({
    mutationFn: () => api.account.changePassword({ password, newPassword }),
    onSuccess: (reply) => {
      notify.status(reply.message)
      empty()
      return invalidate('account')
    },
    onError: (error) => notify.alert(error.message, error),
  })
  const problems = {
    password: password === '' && 'Enter your current password.',
    newPassword: newPassword.length < PASSWORD_LENGTH_MIN && `Enter at least ${PASSWORD_LENGTH_MIN} characters.`,
  }
  return (
    <section className="stack" aria-labelledby={heading}>
      <h2 id={heading}>Password</h2>
      <form
        className={`stack ${styles.form}`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (!change.isPending && !problems.password && !problems.newPassword) change.mutate()
        }}
      >
        {/* Tells password managers which account the password belongs to. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          visibilityToggleButtonProps={SHOW}
          value={password}
          error={tried && problems.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          description={`At least ${PASSWORD_LENGTH_MIN} characters. A longer password is safer.`}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ ...SHOW, 'aria-label': 'Show the new password' }}
          value={newPassword}
          error={tried && problems.newPassword}
          onChange={(event) => setNewPassword(event.currentTarget.value)}
        />
        <p className="dim">You stay signed in here, and are signed out everywhere else.</p>
        <Button type="submit" disabled={change.isPending}>
          {change.isPending ? 'Changing...' : 'Change password'}
        </Button>
      </form>
    </section>
  )
}
