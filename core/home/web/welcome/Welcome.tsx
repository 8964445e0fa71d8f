import { Brand } from '@trainyard/users/web/sign-in/Brand.tsx'
import { Contact } from './Contact.tsx'
import { Partners } from '@trainyard/users/web/sign-in/Partners.tsx'
import { TrackPlan } from '@trainyard/users/web/sign-in/TrackPlan.tsx'

const offers = [
  {
    name: 'Azure Virtual Instances',
    words:
      'A dedicated Azure machine for each learner, from templates that you choose. Started before the class, stopped after it, and billed by the second.',
    points: ['Windows and Linux', 'In the browser, with nothing to install', 'Start and stop by schedule'],
  },
  {
    name: 'Google Cloud Sandbox',
    words:
      'A Google Cloud project for experiments, available on request. It is not part of the portal: write to us, and we discuss what is possible.',
    points: ['On request only', 'Scope and price by agreement', 'Not yet in the portal'],
  },
  {
    name: 'AWS Cloud Sandbox',
    words: 'Access to AWS for the length of the course, with only the permissions that the exercises need.',
    points: ['An account by e-mail', 'Permissions made for training', 'Ends with the course'],
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
              Trainyard gives every learner their own machine or cloud sandbox, ready when the class begins, and shows
              you what it costs while it runs.
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
