import { scanCodeOf } from './scan-codes.ts'
import type { DesktopSession } from './session.ts'

/** Way of typing: characters of this computer's layout, or scan codes that the machine maps with its own layout. */
export type Typing = 'characters' | 'keys'

export interface InputOptions {
  readonly typing: () => Typing
  /** Runs before Ctrl+V is sent, so that the local clipboard is available to the machine. */
  readonly beforePaste: () => Promise<void>
  /** Called on Control+Alt+Escape, with which a user leaves the desktop without a mouse. */
  readonly leave: () => void
}

/**
 * Attaches the input of a desktop. Reads text from `field`, where the browser handles dead keys and input methods.
 * Other keys are sent as scan codes.
 */
export function attachInput(
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
      // On some systems AltGr is reported as Control and Alt, and also produces characters.
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
      // Keys that were sent as characters were not pressed at the machine.
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
  const releaseAll = () => {
    down.clear()
    session.releaseAll()
  }
  field.addEventListener('blur', releaseAll, options)

  const place = (event: MouseEvent) => {
    const { left, top, width, height } = canvas.getBoundingClientRect()
    const clamp = (value: number, size: number) => Math.min(size - 1, Math.max(0, Math.round(value * size)))
    session.point(
      clamp((event.clientX - left) / width, canvas.width),
      clamp((event.clientY - top) / height, canvas.height),
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

export function chord(session: DesktopSession, ...keys: readonly string[]): void {
  const codes = keys.map((key) => scanCodeOf(key)!)
  for (const code of codes) session.key(code, true)
  for (const code of codes.toReversed()) session.key(code, false)
}
