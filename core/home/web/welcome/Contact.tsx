import { useImperativeHandle, useRef, useState, type Ref } from 'react'
import { flushSync } from 'react-dom'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { PHONE_LENGTH } from '@trainyard/platform/contract/words/phone.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { Banner, fieldOf, useSubmit } from '@trainyard/users/web/sign-in/form.tsx'

export interface ContactDialog {
  open(offer: string): void
}

export function Contact({ ref }: { ref: Ref<ContactDialog> }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const closeButton = useRef<HTMLButtonElement>(null)
  const email = useRef<HTMLInputElement>(null)
  const [offer, setOffer] = useState('Trainyard')
  const [sent, setSent] = useState('')
  const { isBusy, problem, setProblem, onSubmit } = useSubmit(async (form) => {
    const textOf = (name: string) => fieldOf(form, name).value.trim()
    const reply = await api.home.contact({
      email: textOf('email'),
      phone: textOf('phone'),
      companyName: textOf('companyName'),
    })
    form.reset()
    setSent(reply.message)
    closeButton.current!.focus()
  })
  useImperativeHandle(ref, () => ({
    open(about) {
      flushSync(() => {
        setOffer(about)
        setSent('')
        setProblem('')
      })
      dialog.current!.showModal()
      email.current!.focus()
    },
  }))
  return (
    <dialog ref={dialog} aria-labelledby="contact">
      <div className="title">
        <h2 id="contact">Contact Us</h2>
        <button
          ref={closeButton}
          type="button"
          className="close"
          aria-label="Close"
          onClick={() => dialog.current!.close()}
        >
          <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
            <path d="m5 5 10 10M15 5 5 15" fill="none" stroke="currentColor" strokeWidth="1.6" />
          </svg>
        </button>
      </div>
      <p className="lead">About {offer}</p>
      <form method="post" onSubmit={onSubmit} hidden={sent !== ''}>
        <Banner text={problem} />
        <label>
          Email
          <input ref={email} name="email" type="email" autoComplete="email" maxLength={254} required />
        </label>
        <label>
          Phone
          <input
            name="phone"
            type="tel"
            autoComplete="tel"
            maxLength={PHONE_LENGTH}
            pattern=".*\p{Nd}.*"
            title="A phone number, with an extension if needed, such as +91 80 4123 4567 ext. 12"
            required
          />
        </label>
        <label>
          Company Name
          <input name="companyName" autoComplete="organization" maxLength={NAME_LENGTH} required />
        </label>
        <button disabled={isBusy}>{isBusy ? 'Sending...' : 'Submit'}</button>
      </form>
      <output className="sent" hidden={sent === ''}>
        {sent}
      </output>
    </dialog>
  )
}
