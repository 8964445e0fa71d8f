import { useEffect, useRef, useState } from 'react'
import type { PointerNow } from '@trainyard/contract/calls/remote.ts'
import { VIEW_SOCKET } from '@trainyard/contract/words/remote.ts'
import own from './Desktop.module.css'
import { leadInput } from './input.ts'
import { Pointer } from './Pointer.tsx'
import { type DesktopSession, openDesktop } from './session.ts'

interface DesktopViewProps {
  machine: string
  /** Leads to the picture, once. */
  ticket: string
  /** The learner gave the keyboard. */
  mayType: boolean
  pointer: PointerNow | null
  /** Called once there is a client for the picture. */
  stands: () => void
}

/** The gateway answers this client as the machine answered the learner's: it signs in nowhere, and is given their size. */
const NOBODY = { account: 'watcher', password: 'watcher' }
const ANY_SIZE = { width: 1024, height: 768 }

/** A learner's desktop, as they see it. */
export function DesktopView({ machine, ticket, mayType, pointer, stands }: DesktopViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const [session, setSession] = useState<DesktopSession | null>(null)
  useEffect(() => {
    let gone = false
    let opened: DesktopSession | null = null
    // The gateway tells by the watcher's own socket why there is no picture, or none any more.
    openDesktop(canvas.current!, { machine, ticket, ...NOBODY, path: VIEW_SOCKET }, ANY_SIZE, () => {}).then(
      (it) => {
        opened = it
        if (gone) return it.close()
        setSession(it)
        stands()
      },
      () => {},
    )
    return () => {
      gone = true
      opened?.close()
    }
  }, [machine, ticket, stands])
  useEffect(() => {
    if (session === null || !mayType) return undefined
    const unlead = leadInput(session, field.current!, {
      typing: () => 'characters',
      beforePaste: () => Promise.resolve(),
      leave: () => field.current?.blur(),
    })
    field.current!.focus({ preventScroll: true })
    return unlead
  }, [session, mayType])
  return (
    <section className={own.place} aria-label={`Desktop of ${machine}`}>
      <canvas ref={canvas} className={own.canvas} aria-hidden />
      {!mayType && <Pointer canvas={canvas} at={pointer} />}
      <textarea
        ref={field}
        className={own.field}
        hidden={!mayType}
        aria-label={`Keyboard of ${machine}. Control, Alt and Escape together leave it.`}
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
      />
    </section>
  )
}
