import { ltiLaunch } from '@trainyard/contract/calls/lms.ts'
import { Brand } from './Brand.tsx'

const api = ({ path }: { readonly path: string }) => `/api${path}`

/** Page that an LMS opens, in a frame or a tab. The server inserts the values that the LMS sent. */
export function Lti() {
  return (
    <main
      className="desk alone"
      data-start={api(ltiLaunch.start)}
      data-finish={api(ltiLaunch.finish)}
      data-enter={api(ltiLaunch.enter)}
      data-link={api(ltiLaunch.link)}
      data-register={api(ltiLaunch.register)}
    >
      <Brand />
      <h1>Opening your training</h1>
      <output className="lead">One moment...</output>
      <p role="alert" className="banner" hidden />
      <button id="open" hidden>
        Open in a new tab
      </button>
      <section hidden>
        <button id="link">Log in and link my account</button>
        <button id="separate" className="plain">
          Continue without it
        </button>
      </section>
      <noscript>
        <p>Trainyard needs JavaScript to open your training.</p>
      </noscript>
      <script type="application/json" id="posted" dangerouslySetInnerHTML={{ __html: '{}' }} />
    </main>
  )
}
