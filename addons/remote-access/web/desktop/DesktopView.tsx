import { useEffect, useRef, useState } from 'react'
import type { PointerPosition } from '../../contract/remote.ts'
import { VIEW_SOCKET } from '../../contract/remote-words.ts'
import own from './Desktop.module.css'
import { attachInput } from './input.ts'
import { Picture } from './Picture.tsx'
import { type DesktopSession, openDesktop } from './session.ts'

interface DesktopViewProps {
  machine: string
  ticket: string
  mayType: boolean
  pointer: PointerPosition | null
  pictureConnected: () => void
}

/**
 * Credentials that are never used: the gateway replays the machine's replies to the learner's client, so this client
 * does not sign in.
 */
const WATCHER_CREDENTIALS = { account: 'watcher', password: 'watcher' }
const ANY_SIZE = { width: 1024, height: 768 }

export function DesktopView({ machine, ticket, mayType, pointer, pictureConnected }: DesktopViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const [session, setSession] = useState<DesktopSession | null>(null)
  useEffect(() => {
    let unmounted = false
    let opened: DesktopSession | null = null
    // The gateway reports failures over the watcher's own socket.
    openDesktop(
      canvas.current!,
      { machine, ticket, ...WATCHER_CREDENTIALS, path: VIEW_SOCKET },
      ANY_SIZE,
      () => {},
    ).then(
      (element) => {
        opened = element
        if (unmounted) return element.close()
        setSession(element)
        pictureConnected()
      },
      () => {},
    )
    return () => {
      unmounted = true
      opened?.close()
    }
  }, [machine, ticket, pictureConnected])
  useEffect(() => {
    if (session === null || !mayType) return undefined
    const detachInput = attachInput(session, field.current!, {
      typing: () => 'characters',
      beforePaste: () => Promise.resolve(),
      leave: () => field.current?.blur(),
    })
    field.current!.focus({ preventScroll: true })
    return detachInput
  }, [session, mayType])
  return (
    <section className={own.place} aria-label={`Desktop of ${machine}`}>
      <Picture machine={machine} canvas={canvas} field={field} mayType={mayType} pointer={mayType ? null : pointer} />
    </section>
  )
}
