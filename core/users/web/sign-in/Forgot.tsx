import { useEffect, useRef, useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { Desk } from './Desk.tsx'
import { Banner, EmailField, fieldOf, focusFirst, useSubmit } from './form.tsx'

export default function Forgot() {
  const email = useRef<HTMLInputElement>(null)
  const [sent, setSent] = useState('')
  useEffect(() => focusFirst(email.current), [])
  const { isBusy, problem, onSubmit } = useSubmit(async (form) => {
    const reply = await api.session.forgot({ email: fieldOf(form, 'email').value.trim() })
    setSent(reply.message)
  })
  return (
    <Desk title="Forgot Password" purpose="send you a link">
      <p className="lead">Enter the e-mail that you sign in with. We will send you a link to set a new password.</p>
      <Banner text={problem} />
      <output className="lead">{sent}</output>
      <form method="post" onSubmit={onSubmit} hidden={sent !== ''}>
        <EmailField label="Username" ref={email} />
        <button disabled={isBusy}>{isBusy ? 'Sending...' : 'Send the link'}</button>
      </form>
    </Desk>
  )
}
