import { flushSync } from 'react-dom'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { DesktopOffer, PointerPosition, Watcher } from '../../contract/remote.ts'
import { REMOTE_MESSAGES } from '../../contract/remote-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { attachInput, type Typing } from './input.ts'
import { openOwnDesktop } from './watcher-control.ts'
import type { Answer } from '../Watchers.tsx'
import { DesktopFailure, type DesktopSession, type DesktopSize, openDesktop } from './session.ts'

const POINTS = 8

function onFirstFrame(canvas: HTMLCanvasElement, onSeen: () => void): () => void {
  const probe = document.createElement('canvas')
  probe.width = probe.height = POINTS
  const context = probe.getContext('2d', { willReadFrequently: true })!
  let waiting = 0
  const wait = () => {
    context.drawImage(canvas, 0, 0, POINTS, POINTS)
    const { data } = context.getImageData(0, 0, POINTS, POINTS)
    // Every fourth byte is a pixel's alpha: 0 where nothing was drawn.
    if (data.every((value, at) => at % 4 !== 3 || value === 255)) onSeen()
    else waiting = requestAnimationFrame(wait)
  }
  waiting = requestAnimationFrame(wait)
  return () => cancelAnimationFrame(waiting)
}

export type DesktopState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  | { readonly kind: 'ended'; readonly sentence: string; readonly signIn: boolean }

/** Debounce of window resizes, in ms. */
const DEBOUNCE_MS = 250

export function useDesktop(
  offer: DesktopOffer,
  parts: {
    readonly place: RefObject<HTMLElement | null>
    readonly canvas: RefObject<HTMLCanvasElement | null>
    readonly field: RefObject<HTMLTextAreaElement | null>
    readonly bar: HTMLElement
    readonly setBarHidden: (isHidden: boolean) => void
  },
  usable: () => void,
) {
  const { place, canvas, field, bar, setBarHidden } = parts
  const [state, setState] = useState<DesktopState>({ kind: 'connecting' })
  const [copied, setCopied] = useState('')
  const [watching, setWatching] = useState<'asked' | 'unasked' | null>(null)
  const [watchers, setWatchers] = useState<readonly Watcher[]>([])
  const [pointer, setPointer] = useState<PointerPosition | null>(null)
  const isShared = useRef(false)
  const control = useRef<ReturnType<typeof openOwnDesktop> | null>(null)
  const [typing, setTyping] = useState<Typing>('characters')
  const typingNow = useRef(typing)
  useEffect(() => {
    typingNow.current = typing
  }, [typing])
  const session = useRef<DesktopSession | null>(null)
  const offered = useRef('')

  const offerText = useCallback(async (text: string) => {
    if (text === '' || text === offered.current) return
    offered.current = text
    await session.current?.offer(text)
  }, [])
  /** Browsers may refuse to let the page read the clipboard. */
  const share = useCallback(
    () => navigator.clipboard?.readText().then(offerText, () => {}) ?? Promise.resolve(),
    [offerText],
  )

  useEffect(() => {
    let unmounted = false
    let undo = () => {}
    const ended = (sentence: string, signIn = false) => {
      undo()
      session.current = null
      if (!unmounted) setState({ kind: 'ended', sentence, signIn })
    }
    const start = async () => {
      const opened = await openDesktop(canvas.current!, offer, sizeOf(place.current!), (text) => {
        offered.current = text
        setCopied(text)
        void navigator.clipboard?.writeText(text).catch(() => {})
      })
      if (unmounted) return opened.close()
      session.current = opened
      const detachInput = attachInput(opened, field.current!, {
        typing: () => typingNow.current,
        beforePaste: share,
        leave: () => {
          // A hidden element takes no focus.
          flushSync(() => setBarHidden(false))
          bar.querySelector('select')?.focus()
        },
      })
      const watched = (now: readonly Watcher[]) => {
        isShared.current = now.some(({ keyboard }) => keyboard !== 'none')
        setWatchers(now)
      }
      control.current = openOwnDesktop(offer, { consent: setWatching, watched, pointed: setPointer })
      const cancelWait = onFirstFrame(opened.canvas, usable)
      const stopFollowing = followSize(place.current!, opened, () => isShared.current)
      undo = () => {
        detachInput()
        cancelWait()
        stopFollowing()
        control.current?.close()
      }
      setState({ kind: 'open' })
      field.current!.focus({ preventScroll: true })
      await opened.over
      ended(await endingOf(offer.machine, REMOTE_MESSAGES.portalLost))
    }
    start().catch(async (error: unknown) => {
      const failure = error instanceof DesktopFailure ? error : null
      if (failure === null) return ended(REMOTE_MESSAGES.clientNotLoaded)
      if (failure.signIn) return ended(REMOTE_MESSAGES.signInRefused(offer.machine), true)
      if (failure.status === 403) return ended(REMOTE_MESSAGES.ticketRefused)
      if (failure.status === 409) return ended(REMOTE_MESSAGES.fullOfDesktops(offer.machine))
      const sentence = await endingOf(offer.machine, REMOTE_MESSAGES.unreachable(offer.machine))
      // Some servers, such as FreeRDP, close the connection on a wrong password without an error.
      const hungUp = sentence === REMOTE_MESSAGES.machineClosed(offer.machine)
      ended(hungUp ? REMOTE_MESSAGES.closedAtSignIn(offer.machine) : sentence, hungUp)
    })
    return () => {
      unmounted = true
      undo()
      session.current?.close()
    }
  }, [offer, canvas, field, place, bar, setBarHidden, share, usable])

  return {
    state,
    session,
    copied,
    typing,
    setTyping,
    share,
    offerText,
    watching,
    watchers,
    answer: (id: string, answer: Answer) => control.current?.answer(id, answer),
    pointer,
    isElsewhere: watchers.some(({ keyboard }) => keyboard === 'held'),
  }
}

async function endingOf(machine: string, fallback: string): Promise<string> {
  try {
    return (await api.remote.ending({ vmName: machine })).sentence ?? fallback
  } catch {
    return fallback
  }
}

/** Desktop sides must be even and within limits. Source: MS-RDPEDISP, section 2.2.2.2.1 */
function sizeOf(place: HTMLElement): DesktopSize {
  const clamp = (side: number, min: number, max: number) => Math.min(max, Math.max(min, Math.floor(side))) & ~3
  return { width: clamp(place.clientWidth, 480, 3_840), height: clamp(place.clientHeight, 320, 2_160) }
}

/**
 * @param isShared while true, only a resize of the window changes the size, because each change restarts the watcher's
 * picture
 */
function followSize(place: HTMLElement, session: DesktopSession, isShared: () => boolean): () => void {
  let debouncing: ReturnType<typeof setTimeout> | undefined
  let sent = `${session.canvas.width}x${session.canvas.height}`
  let sentIn = windowSize()
  const observer = new ResizeObserver(() => {
    clearTimeout(debouncing)
    debouncing = setTimeout(() => {
      const size = sizeOf(place)
      const requestedSize = `${size.width}x${size.height}`
      if (requestedSize === sent || (isShared() && windowSize() === sentIn)) return
      sent = requestedSize
      sentIn = windowSize()
      session.resize(size)
    }, DEBOUNCE_MS)
  })
  observer.observe(place)
  return () => {
    clearTimeout(debouncing)
    observer.disconnect()
  }
}

const windowSize = () => `${window.innerWidth}x${window.innerHeight}`
