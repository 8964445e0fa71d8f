import { pathOf } from '@trainyard/platform/contract/call.ts'
import { home } from '../../contract/home.ts'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { PHONE_LENGTH } from '@trainyard/platform/contract/words/phone.ts'

export function Contact() {
  return (
    <dialog aria-labelledby="contact">
      <div className="title">
        <h2 id="contact">Contact Us</h2>
        <button type="button" className="close" aria-label="Close" data-close="">
          <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
            <path d="m5 5 10 10M15 5 5 15" fill="none" stroke="currentColor" strokeWidth="1.6" />
          </svg>
        </button>
      </div>
      <p className="lead">
        About <span data-offer="">Trainyard</span>
      </p>
      <form method="post" action={`/api${pathOf(home.contact)}`}>
        <p role="alert" className="banner" hidden />
        <label>
          Email
          <input name="email" type="email" autoComplete="email" maxLength={254} required />
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
        <button data-busy="Sending...">Submit</button>
      </form>
      <output className="sent" hidden />
    </dialog>
  )
}
