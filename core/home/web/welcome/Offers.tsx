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

export const Offers = ({ learnMore }: { learnMore: (offer: string) => void }) => (
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
        <button type="button" onClick={() => learnMore(name)}>
          Learn More<span className="visually-hidden"> about {name}</span>
        </button>
      </li>
    ))}
  </ul>
)
