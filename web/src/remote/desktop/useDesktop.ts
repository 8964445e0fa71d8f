import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { DesktopOffer, PointerNow, Watcher } from '@trainyard/contract/calls/remote.ts'
import { REMOTE } from '@trainyard/contract/words/remote.ts'
import { api } from '#src/api/client.ts'
import { onFirstFrame } from './first-frame.ts'
import { leadInput, type Typing } from './input.ts'
import { openOwnDesktop } from './own-desktop.ts'
import type { Answer } from '../Watchers.tsx'
import { DesktopFailure, type DesktopSession, type DesktopSize, openDesktop } from './session.ts'

export type DesktopState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  | { readonly kind: 'ended'; readonly sentence: string; readonly signIn: boolean }

/** A window that is drawn with the mouse changes all the time: the machine is told once it rests. */
const REST_MS = 250

/** The desktop of an offer in `canvas`, for as long as the component stands. */
export function useDesktop(
  offer: DesktopOffer,
  parts: {
    readonly place: RefObject<HTMLElement | null>
    readonly canvas: RefObject<HTMLCanvasElement | null>
    readonly field: RefObject<HTMLTextAreaElement | null>
    readonly bar: RefObject<HTMLElement | null>
  },
  usable: () => void,
) {
  const { place, canvas, field, bar } = parts
  const [state, setState] = useState<DesktopState>({ kind: 'connecting' })
  const [copied, setCopied] = useState('')
  const [watching, setWatching] = useState<'asked' | 'unasked' | null>(null)
  const [watchers, setWatchers] = useState<readonly Watcher[]>([])
  const [pointer, setPointer] = useState<PointerNow | null>(null)
  /** Somebody who watches asked for the keyboard, or has it. */
  const isShared = useRef(false)
  const beside = useRef<ReturnType<typeof openOwnDesktop> | null>(null)
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
  /** Our clipboard becomes the machine's, where the browser gives it out. */
  const share = useCallback(
    () => navigator.clipboard?.readText().then(offerText, () => {}) ?? Promise.resolve(),
    [offerText],
  )

  useEffect(() => {
    let gone = false
    let undo = () => {}
    const ended = (sentence: string, signIn = false) => {
      undo()
      session.current = null
      if (!gone) setState({ kind: 'ended', sentence, signIn })
    }
    const begin = async () => {
      const opened = await openDesktop(canvas.current!, offer, sizeOf(place.current!), (text) => {
        offered.current = text
        setCopied(text)
        void navigator.clipboard?.writeText(text).catch(() => {})
      })
      if (gone) return opened.close()
      session.current = opened
      const unlead = leadInput(opened, field.current!, {
        typing: () => typingNow.current,
        beforePaste: share,
        leave: () => bar.current?.querySelector('select')?.focus(),
      })
      const watched = (now: readonly Watcher[]) => {
        isShared.current = now.some(({ keyboard }) => keyboard !== 'none')
        setWatchers(now)
      }
      beside.current = openOwnDesktop(offer, { consent: setWatching, watched, pointed: setPointer })
      const unwait = onFirstFrame(opened.canvas, usable)
      const unfollow = followSize(place.current!, opened, () => isShared.current)
      undo = () => {
        unlead()
        unwait()
        unfollow()
        beside.current?.close()
      }
      setState({ kind: 'open' })
      field.current!.focus({ preventScroll: true })
      await opened.over
      ended(await endingOf(offer.machine, REMOTE.portalLost))
    }
    begin().catch(async (error: unknown) => {
      const failure = error instanceof DesktopFailure ? error : null
      if (failure === null) return ended(REMOTE.noEngine)
      if (failure.signIn) return ended(REMOTE.signInRefused(offer.machine), true)
      if (failure.status === 403) return ended(REMOTE.ticketRefused)
      if (failure.status === 409) return ended(REMOTE.fullOfDesktops(offer.machine))
      const sentence = await endingOf(offer.machine, REMOTE.unreachable(offer.machine))
      // Servers hang up on a wrong password, some without a word: FreeRDP's does, before its desktop is open.
      const hungUp = sentence === REMOTE.machineClosed(offer.machine)
      ended(hungUp ? REMOTE.closedAtSignIn(offer.machine) : sentence, hungUp)
    })
    return () => {
      gone = true
      undo()
      session.current?.close()
    }
  }, [offer, canvas, field, place, bar, share, usable])

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
    answer: (id: string, answer: Answer) => beside.current?.answer(id, answer),
    pointer,
    /** Somebody who watches has the keyboard, and the pointer. */
    isElsewhere: watchers.some(({ keyboard }) => keyboard === 'held'),
  }
}

/** The gateway's own sentence, where it has one: the engine knows none. */
async function endingOf(machine: string, otherwise: string): Promise<string> {
  try {
    return (await api.remote.ending({ vmName: machine })).sentence ?? otherwise
  } catch {
    return otherwise
  }
}

/** Sides of a desktop are even, and neither too small for one nor too large. Source: MS-RDPEDISP, section 2.2.2.2.1 */
function sizeOf(place: HTMLElement): DesktopSize {
  const within = (side: number, least: number, most: number) => Math.min(most, Math.max(least, Math.floor(side))) & ~3
  return { width: within(place.clientWidth, 480, 3_840), height: within(place.clientHeight, 320, 2_160) }
}

/**
 * Tells the machine how large the desktop is to be.
 * @param isShared while it is, the lines on who has the keyboard come and go over the desktop. For those it keeps its
 *   size: another one opens the picture of who watches anew, and what they type meanwhile is lost.
 */
function followSize(place: HTMLElement, session: DesktopSession, isShared: () => boolean): () => void {
  let resting: ReturnType<typeof setTimeout> | undefined
  let told = `${session.canvas.width}x${session.canvas.height}`
  let toldIn = windowSize()
  const observer = new ResizeObserver(() => {
    clearTimeout(resting)
    resting = setTimeout(() => {
      const size = sizeOf(place)
      const asked = `${size.width}x${size.height}`
      if (asked === told || (isShared() && windowSize() === toldIn)) return
      told = asked
      toldIn = windowSize()
      session.resize(size)
    }, REST_MS)
  })
  observer.observe(place)
  return () => {
    clearTimeout(resting)
    observer.disconnect()
  }
}

const windowSize = () => `${window.innerWidth}x${window.innerHeight}`
