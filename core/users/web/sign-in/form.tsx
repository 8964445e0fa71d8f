import { useEffect, useRef, useState, type ComponentProps, type FormEvent } from 'react'
import { ApiError, ShownError } from '@trainyard/platform/web/api/error.ts'
import { isSiteDataBlocked } from '@trainyard/platform/web/session/session.ts'

const BLOCKED =
  'Your browser blocks cookies and site data of this portal, which a login needs. Allow them, then load this page again.'

/** Returns the sentence for a failed submission. Errors of the page itself are also reported. */
export function sentenceFor(error: unknown): string {
  if (error instanceof ShownError) return error.message
  reportError(error)
  return isSiteDataBlocked() ? BLOCKED : 'Something went wrong on this page. Load it again.'
}

interface SubmitOptions {
  /** The form opens a session: the banner says if the browser blocks what a session needs. */
  readonly needsSiteData?: boolean
  /** First sentence of a refusal. */
  readonly failed?: string
  /** Shows a problem elsewhere than in `problem`. */
  readonly show?: (sentence: string) => void
}

/**
 * State of a form, whose fields are uncontrolled: a form that the build has rendered keeps what the user typed before
 * the script had loaded.
 * @param work runs on each submission; the button is busy meanwhile, and an error is shown
 */
export function useSubmit(
  work: (form: HTMLFormElement) => Promise<void>,
  { needsSiteData = false, failed, show }: SubmitOptions = {},
) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const showProblem = show ?? setProblem
  useEffect(() => {
    if (needsSiteData && isSiteDataBlocked()) showProblem(BLOCKED)
  }, [needsSiteData, showProblem])
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    showProblem('')
    setBusy(true)
    void work(event.currentTarget)
      .catch((error: unknown) => {
        const sentence = sentenceFor(error)
        showProblem(failed !== undefined && error instanceof ApiError ? `${failed} ${sentence}` : sentence)
      })
      .finally(() => setBusy(false))
  }
  return { isBusy, problem, setProblem, onSubmit }
}

export const Banner = ({ text }: { text: string }) => (
  <p role="alert" className="banner" hidden={text === ''}>
    {text}
  </p>
)

export const EmailField = ({ label, ...rest }: { label: string } & ComponentProps<'input'>) => (
  <label>
    {label}
    <input
      name="email"
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      {...rest}
    />
  </label>
)

/** State of a field that shows its own message instead of the browser's bubble. `refusal` are the props of the input. */
export function useRefusal() {
  const [isInvalid, setInvalid] = useState(false)
  const refusal = {
    'aria-invalid': isInvalid,
    onInvalid(event: FormEvent<HTMLInputElement>) {
      event.preventDefault()
      setInvalid(true)
      const { currentTarget: field } = event
      if (field.form!.querySelector('input:invalid') === field) field.focus()
    },
    onInput: () => setInvalid(false),
  }
  return { isInvalid, refusal }
}

/** Checkbox that shows what is typed into a password field. */
export function ShowCharacters({ show }: { show: (isShown: boolean) => void }) {
  const tick = useRef<HTMLInputElement>(null)
  // The user may have ticked it before the script had loaded.
  useEffect(() => show(tick.current!.checked), [show])
  return (
    <label className="tick">
      <input ref={tick} name="show" type="checkbox" onChange={({ target }) => show(target.checked)} /> Show characters
    </label>
  )
}

export const fieldOf = (form: HTMLFormElement, name: string) => form.elements.namedItem(name) as HTMLInputElement

/** Moves the focus to an element, unless the user has already moved it. */
export function focusFirst(element: HTMLElement | null | undefined): void {
  if (document.activeElement === document.body) element?.focus()
}
