import { type Call, pathOf } from '@trainyard/platform/contract/call.ts'
import { ltiLaunch } from '../contract/lms.ts'
import type { LmsView } from '../contract/lms-words.ts'
import { Brand } from '@trainyard/users/web/sign-in/Brand.tsx'
import { PrivacyLink } from '@trainyard/platform/web/public/PrivacyLink.tsx'

/** Views of a training that an instructor can put into a course. */
const VIEWS: readonly (readonly [LmsView, string])[] = [
  ['training', 'The training: learners see their machines, instructors the class'],
  ['machine', 'The user’s own machine'],
  ['class', 'The class, for instructors'],
]

const api = (call: Pick<Call, 'route'>) => `/api${pathOf(call)}`

/** Page that an LMS opens, in a frame or a tab. The server inserts the values that the LMS sent. */
export function Lti() {
  return (
    <main
      className="desk alone"
      data-start={api(ltiLaunch.start)}
      data-finish={api(ltiLaunch.finish)}
      data-enter={api(ltiLaunch.enter)}
      data-hand-over={api(ltiLaunch.handOver)}
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
      <form id="content" data-choose={api(ltiLaunch.choose)} hidden>
        <fieldset>
          <legend>Activity</legend>
          {VIEWS.map(([value, label], index) => (
            <label key={value} className="tick">
              <input type="radio" name="view" value={value} defaultChecked={index === 0} />
              {label}
            </label>
          ))}
        </fieldset>
        <label>
          Name in the course
          <input name="title" maxLength={100} autoComplete="off" required />
        </label>
        <button data-busy="Adding...">Add to the course</button>
      </form>
      <footer hidden>
        <PrivacyLink />
      </footer>
      <noscript>
        <p>Trainyard needs JavaScript to open your training.</p>
      </noscript>
      <script type="application/json" id="posted" dangerouslySetInnerHTML={{ __html: '{}' }} />
    </main>
  )
}
