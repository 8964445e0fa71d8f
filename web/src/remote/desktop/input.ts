import { scanCodeOf } from './scan-codes.ts'
import type { DesktopSession } from './session.ts'

/** How keys are sent: as the characters that they make here, or as keys whose meaning the machine knows. */
export type Typing = 'characters' | 'keys'

export interface InputOptions {
  readonly typing: () => Typing
  /** Before Ctrl+V reaches the machine, so that what is copied here is there to be pasted. */
  readonly beforePaste: () => Promise<void>
  /** Control, Alt and Escape together: who has no mouse gets out by them. */
  readonly leave: () => void
}

/**
 * Leads mouse and keyboard to a desktop. Text comes out of `field`, which lies unseen over it: there the browser makes
 * characters of dead keys, of input methods and of keyboards on screens. All else are keys by their place.
 */
export function leadInput(
  session: DesktopSession,
  field: HTMLTextAreaElement,
  { typing, beforePaste, leave }: InputOptions,
): () => void {
  const { canvas } = session
  const over = new AbortController()
  const options = { signal: over.signal }
  const down = new Set<number>()

  const isText = (event: KeyboardEvent) =>
    typing() === 'characters' &&
    (event.isComposing ||
      event.key === 'Dead' ||
      event.key === 'Process' ||
      // AltGr is Control and Alt at once on some systems, and makes characters too.
      ([...event.key].length === 1 &&
        !event.metaKey &&
        (event.getModifierState('AltGraph') || (!event.ctrlKey && !event.altKey))))

  const press = (code: number) => {
    down.add(code)
    session.key(code, true)
  }
  field.addEventListener(
    'keydown',
    (event) => {
      if (isText(event)) return
      const code = scanCodeOf(event.code)
      event.preventDefault()
      if (code === undefined) return
      if (event.ctrlKey && event.altKey && event.code === 'Escape') return leave()
      if (event.ctrlKey && !event.altKey && event.code === 'KeyV')
        void beforePaste().then(() => chord(session, 'ControlLeft', 'KeyV'))
      else press(code)
    },
    options,
  )
  field.addEventListener(
    'keyup',
    (event) => {
      const code = scanCodeOf(event.code)
      if (code === undefined) return
      event.preventDefault()
      // A key whose character was typed was never pressed there.
      if (down.delete(code)) session.key(code, false)
    },
    options,
  )
  const typed = () => {
    if (field.value !== '') session.type(field.value)
    field.value = ''
  }
  field.addEventListener('input', (event) => event.isComposing || typed(), options)
  field.addEventListener('compositionend', typed, options)
  const letGo = () => {
    down.clear()
    session.letGo()
  }
  field.addEventListener('blur', letGo, options)

  const place = (event: MouseEvent) => {
    const { left, top, width, height } = canvas.getBoundingClientRect()
    const within = (part: number, most: number) => Math.min(most - 1, Math.max(0, Math.round(part * most)))
    session.point(
      within((event.clientX - left) / width, canvas.width),
      within((event.clientY - top) / height, canvas.height),
    )
  }
  canvas.addEventListener('pointermove', place, options)
  canvas.addEventListener(
    'pointerdown',
    (event) => {
      event.preventDefault()
      canvas.setPointerCapture(event.pointerId)
      field.focus({ preventScroll: true })
      place(event)
      session.button(event.button, true)
    },
    options,
  )
  canvas.addEventListener(
    'pointerup',
    (event) => {
      place(event)
      session.button(event.button, false)
    },
    options,
  )
  canvas.addEventListener('contextmenu', (event) => event.preventDefault(), options)
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const vertical = event.deltaY !== 0
      session.scroll(vertical, vertical ? event.deltaY : event.deltaX)
    },
    { ...options, passive: false },
  )
  return () => over.abort()
}

/** Presses keys together, and lets them go in the opposite order. */
export function chord(session: DesktopSession, ...keys: readonly string[]): void {
  const codes = keys.map((key) => scanCodeOf(key)!)
  for (const code of codes) session.key(code, true)
  for (const code of codes.toReversed()) session.key(code, false)
}
