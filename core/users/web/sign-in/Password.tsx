import { useEffect, useRef, useState } from 'react'
import { PASSWORD_LENGTH_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { readSession } from '@trainyard/platform/web/session/session.ts'
import { Desk } from './Desk.tsx'
import { Banner, fieldOf, focusFirst, useRefusal, useSubmit } from './form.tsx'
import { NewPassword } from './NewPassword.tsx'

export default function Password() {
  const present = useRef<HTMLInputElement>(null)
  const [email, setEmail] = useState('')
  const { isInvalid, refusal } = useRefusal()
  useEffect(() => {
    const session = readSession()
    if (session === null) return location.replace('/login')
    setEmail(session.email)
    focusFirst(present.current)
  }, [])
  const { isBusy, problem, onSubmit } = useSubmit(async (form) => {
    const body = { password: fieldOf(form, 'present').value, newPassword: fieldOf(form, 'password').value }
    try {
      await api.account.changePassword(body)
    } catch (error) {
      present.current!.select()
      throw error
    }
    location.assign('/')
  })
  return (
    <Desk title="Change Your Password" link={{ to: '/logout', text: 'Logout' }} purpose="change your password">
      <p className="lead">
        Your password was set by someone else. Your organisation requires you to choose a new one that only you know.
      </p>
      <Banner text={problem} />
      <form method="post" onSubmit={onSubmit}>
        <input name="email" type="email" autoComplete="username" value={email} readOnly hidden />
        <label>
          Current password
          <input
            ref={present}
            name="present"
            type="password"
            autoComplete="current-password"
            maxLength={PASSWORD_LENGTH_MAX}
            aria-describedby="missing"
            {...refusal}
            required
          />
        </label>
        {isInvalid && (
          <p id="missing" className="wrong">
            Enter your current password.
          </p>
        )}
        <NewPassword />
        <button disabled={isBusy}>{isBusy ? 'Saving...' : 'Change password and continue'}</button>
      </form>
    </Desk>
  )
}
