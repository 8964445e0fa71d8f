import { useEffect, useState } from 'react'
import { PrivacyLink } from '@trainyard/platform/web/public/PrivacyLink.tsx'
import { Brand } from '@trainyard/users/web/sign-in/Brand.tsx'
import { Banner, fieldOf, useSubmit } from '@trainyard/users/web/sign-in/form.tsx'
import type { LmsView } from '../contract/lms-words.ts'
import { FIRST_VIEW, launch, type Posted, type View } from './launch.ts'

/** Views of a training that an instructor can put into a course. */
const VIEWS: readonly (readonly [LmsView, string])[] = [
  ['training', 'The training: learners see their machines, instructors the class'],
  ['machine', 'The user’s own machine'],
  ['class', 'The class, for instructors'],
]

/** Element of the page into which the server inserts the values of the LMS. */
const POSTED = 'posted'

/** Page that an LMS opens, in a frame or a tab. */
export default function Lti() {
  const [{ heading, doing, problem, button, link, content, hasLinks }, setView] = useState(FIRST_VIEW)
  const [contentProblem, setContentProblem] = useState('')
  // Read before React replaces the page, which it does if an extension of the browser has changed it.
  const [posted] = useState(() => globalThis.document?.getElementById(POSTED)?.textContent ?? '{}')
  useEffect(() => {
    void launch(JSON.parse(posted) as Posted, (changes) => setView((now) => ({ ...now, ...changes })))
  }, [posted])
  return (
    <main className="desk alone">
      <Brand />
      <h1>{heading}</h1>
      <output className="lead">{doing}</output>
      <Banner text={problem || contentProblem} />
      {button !== null && (
        <button type="button" onClick={button.open}>
          {button.text}
        </button>
      )}
      {link !== null && (
        <section>
          <button type="button" onClick={link.accept}>
            Log in and link my account
          </button>
          <button type="button" className="plain" onClick={link.decline}>
            Continue without it
          </button>
        </section>
      )}
      {content !== null && <ContentForm content={content} show={setContentProblem} />}
      <footer hidden={!hasLinks}>
        <PrivacyLink />
      </footer>
      <noscript>
        <p>Trainyard needs JavaScript to open your training.</p>
      </noscript>
      <script
        type="application/json"
        id={POSTED}
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: posted }}
      />
    </main>
  )
}

interface ContentFormProps {
  content: NonNullable<View['content']>
  show: (sentence: string) => void
}

function ContentForm({ content: { training, choose }, show }: ContentFormProps) {
  const { isBusy, onSubmit } = useSubmit(
    async (form) => {
      const view = new FormData(form).get('view') as LmsView
      await choose({ view, title: fieldOf(form, 'title').value.trim() })
    },
    { show },
  )
  return (
    <form onSubmit={onSubmit}>
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
        <input name="title" maxLength={100} autoComplete="off" defaultValue={training} required />
      </label>
      <button disabled={isBusy}>{isBusy ? 'Adding...' : 'Add to the course'}</button>
    </form>
  )
}
