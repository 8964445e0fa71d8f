import { Button, Checkbox, PasswordInput } from '@mantine/core'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { PASSWORD_LENGTH_MIN } from '@trainyard/platform/contract/words/limits.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import styles from './AccountSecurity.module.css'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

const SHOW = { 'aria-label': 'Show the password', tabIndex: 0 }

export default function Password() {
  const heading = useId()
  const { email } = useMe()
  const [password, setPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const [tried, setTried] = useState(false)
  const [keepKeys, setKeepKeys] = useState(false)
  const apiKeys = useQuery(query(api.account.sessions)).data?.apiKeys ?? 0
  const change = useAction(() => api.account.changePassword({ password, newPassword, keepKeys }), {
    invalidates: ['account'],
    onDone: () => {
      setPassword('')
      setNewPassword('')
      setKeepKeys(false)
      setTried(false)
    },
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
        {/* This field tells password managers to which account the password belongs. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          visibilityToggleButtonProps={SHOW}
          {...controlledText(password, setPassword)}
          error={tried && problems.password}
        />
        <PasswordInput
          label="New password"
          description={`At least ${PASSWORD_LENGTH_MIN} characters. A longer password is safer.`}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ ...SHOW, 'aria-label': 'Show the new password' }}
          {...controlledText(newPassword, setNewPassword)}
          error={tried && problems.newPassword}
        />
        {apiKeys > 0 && (
          <Checkbox
            label={apiKeys === 1 ? 'Keep my API key' : `Keep my ${apiKeys} API keys`}
            description="Otherwise programs that use it stop working. Do not keep a key that someone else may know."
            checked={keepKeys}
            onChange={(event) => setKeepKeys(event.currentTarget.checked)}
          />
        )}
        <p className="dim">You stay signed in here, and are signed out everywhere else.</p>
        <Button type="submit" disabled={change.isPending}>
          {change.isPending ? 'Changing...' : 'Change password'}
        </Button>
      </form>
    </section>
  )
}
