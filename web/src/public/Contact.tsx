import { home } from '@trainyard/contract/calls/home.ts'
import { NAME_LENGTH } from '@trainyard/contract/words/limits.ts'

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
      <form method="post" action={`/api${home.contact.path}`}>
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
            maxLength={32}
            pattern="[+\d][\d \(\)\.\/\-]*"
            title="A phone number: digits, spaces, and + ( ) . / -"
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
