import { useRef } from 'react'
import { Brand } from '@trainyard/users/web/sign-in/Brand.tsx'
import { Contact, type ContactDialog } from './Contact.tsx'
import { Offers } from './Offers.tsx'
import { Partners } from '@trainyard/users/web/sign-in/Partners.tsx'
import { TrackPlan } from '@trainyard/users/web/sign-in/TrackPlan.tsx'

export default function Welcome() {
  const contact = useRef<ContactDialog>(null)
  return (
    <div className="welcome">
      <header className="bar">
        <Brand />
        <a href="/login" className="enter">
          Login
        </a>
      </header>
      <main>
        <section className="hero">
          <TrackPlan />
          <div className="claim">
            <h1>Cloud training labs, on time.</h1>
            <p>
              Trainyard gives every learner their own machine or cloud sandbox, ready when the class begins, and shows
              you what it costs while it runs.
            </p>
          </div>
        </section>
        <Offers learnMore={(offer) => contact.current!.open(offer)} />
        <noscript>
          <p className="lead">Trainyard needs JavaScript to open the Contact Us form.</p>
        </noscript>
        <Partners />
      </main>
      <Contact ref={contact} />
    </div>
  )
}
