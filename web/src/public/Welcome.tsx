import { Brand } from './Brand.tsx'
import { Contact } from './Contact.tsx'
import { Partners } from './Partners.tsx'
import { TrackPlan } from './TrackPlan.tsx'

const offers = [
  {
    name: 'Azure Virtual Instances',
    words:
      'A machine of their own for each learner, on Azure, from cards that you choose. Up before the class, off after it, and billed by the second.',
    points: ['Windows and Linux', 'In the browser, with nothing to install', 'Start and stop by schedule'],
  },
  {
    name: 'Google Cloud Sandbox',
    words:
      'A project on Google Cloud to try things out in, fenced in by a budget and a last day, and cleared away when that has come.',
    points: ['One project a learner', 'A budget that holds', 'Nothing left behind'],
  },
  {
    name: 'AWS Cloud Sandbox',
    words: 'Access to AWS for as long as the course lasts, with the rights that the exercises need and not one more.',
    points: ['An account by e-mail', 'Rights made for training', 'Ends with the course'],
  },
] as const

export function Welcome() {
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
              Trainyard gives every learner a machine or a cloud of their own, has it ready when the class begins, and
              tells you what it costs while it runs.
            </p>
          </div>
        </section>
        <ul className="offers" aria-label="What we offer">
          {offers.map(({ name, words, points }) => (
            <li key={name}>
              <h2>{name}</h2>
              <p>{words}</p>
              <ul>
                {points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </ul>
              <button type="button" data-about={name}>
                Learn More<span className="visually-hidden"> about {name}</span>
              </button>
            </li>
          ))}
        </ul>
        <noscript>
          <p className="lead">Trainyard needs JavaScript to open the Contact Us form.</p>
        </noscript>
        <Partners />
      </main>
      <Contact />
    </div>
  )
}
