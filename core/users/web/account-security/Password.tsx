import { Button, Checkbox, PasswordInput } from '@mantine/core'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { account } from '../../contract/account.ts'
import { PASSWORD_LENGTH_MIN } from '@trainyard/platform/contract/words/limits.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import styles from './AccountSecurity.module.css'

const SHOW = { 'aria-label': 'Show the password', tabIndex: 0 }

export default function Password() {
  const heading = useId()
  const { email } = useMe()
  const apiKeys = useQuery(query(api.account.sessions)).data?.apiKeys ?? 0
  const form = useShapedForm({
    shape: account.changePassword.body,
    initialValues: { password: '', newPassword: '', keepKeys: false },
    bodyOf: (entered) => entered,
  })
  const change = useAction(api.account.changePassword, { invalidates: ['account'], onDone: form.reset })
  return (
    <section className="stack" aria-labelledby={heading}>
      <h2 id={heading}>Password</h2>
      <form
        className={`stack ${styles.form}`}
        noValidate
        onSubmit={form.onSubmit((body) => {
          if (!change.isPending) change.mutate(body)
        })}
      >
        {/* This field tells password managers to which account the password belongs. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          visibilityToggleButtonProps={SHOW}
          {...form.getInputProps('password')}
        />
        <PasswordInput
          label="New password"
          description={`At least ${PASSWORD_LENGTH_MIN} characters. A longer password is safer.`}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ ...SHOW, 'aria-label': 'Show the new password' }}
          {...form.getInputProps('newPassword')}
        />
        {apiKeys > 0 && (
          <Checkbox
            label={apiKeys === 1 ? 'Keep my API key' : `Keep my ${apiKeys} API keys`}
            description="Otherwise programs that use it stop working. Do not keep a key that someone else may know."
            {...form.getInputProps('keepKeys', { type: 'checkbox' })}
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
