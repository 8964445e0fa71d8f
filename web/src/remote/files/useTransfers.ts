import { useCallback, useEffect, useRef, useState } from 'react'
import type { Transfer } from '@trainyard/contract/calls/remote.ts'
import { FILE_BYTES_MAX, FILES } from '@trainyard/contract/words/file.ts'
import { api } from '#src/api/client.ts'
import { bytesAt, sendFile } from './send.ts'

/** A transfer as this page knows it: an upload that it sends, or one that waits to be gone on with. */
export interface Shown extends Transfer {
  readonly sending: boolean
  /** Why it does not go on. */
  readonly problem: string | null
  /** It was refused since a file stands there. */
  readonly stands: boolean
}

const LOOK_MS = 1_000

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** One's own transfers to and from a machine, and what can be done with them. */
export function useTransfers(machine: string, changed: () => void) {
  const [allowed, setAllowed] = useState<boolean | null>(null)
  const [transfers, setTransfers] = useState<readonly Transfer[]>([])
  const [states, setStates] = useState<Readonly<Record<string, Pick<Shown, 'sending' | 'problem'>>>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const files = useRef(new Map<string, File>())
  const stops = useRef(new Map<string, AbortController>())

  const look = useCallback(async () => {
    try {
      const reply = await api.remote.transfers({ vmName: machine })
      setAllowed(reply.allowed)
      setTransfers(reply.transfers)
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }, [machine])
  useEffect(() => void look(), [look])
  const downloads = transfers.some(({ direction, result }) => direction === 'download' && result === null)
  useEffect(() => {
    if (!downloads) return undefined
    const looking = setInterval(() => void look(), LOOK_MS)
    return () => clearInterval(looking)
  }, [downloads, look])
  useEffect(() => {
    const running = stops.current
    return () => {
      for (const stop of running.values()) stop.abort()
    }
  }, [])

  const send = useCallback(
    async (file: File, transfer: Transfer) => {
      const stop = new AbortController()
      const say = (sending: boolean, why: string | null) =>
        setStates((before) => ({ ...before, [transfer.id]: { sending, problem: why } }))
      stops.current.set(transfer.id, stop)
      files.current.set(transfer.id, file)
      say(true, null)
      try {
        await sendFile(file, transfer, {
          signal: stop.signal,
          moved: (done) =>
            setTransfers((before) => before.map((each) => (each.id === transfer.id ? { ...each, done } : each))),
        })
        say(false, null)
        changed()
      } catch (error) {
        say(false, stop.signal.aborted ? null : sentenceOf(error))
      }
      await look()
    },
    [look, changed],
  )

  const begin = useCallback(async (asked: Parameters<typeof api.remote.transfer>[0]): Promise<Transfer | null> => {
    setProblem(null)
    try {
      const transfer = await api.remote.transfer(asked)
      setTransfers((before) => [transfer, ...before])
      return transfer
    } catch (error) {
      setProblem(sentenceOf(error))
      return null
    }
  }, [])

  return {
    allowed,
    problem,
    transfers: transfers.map((transfer): Shown => {
      const state = states[transfer.id] ?? { sending: false, problem: null }
      const stands = state.problem?.includes('is there already') ?? false
      return { ...transfer, ...state, stands }
    }),
    async upload(folder: string, file: File, replace = false) {
      if (file.size > FILE_BYTES_MAX) return setProblem(`${file.name}: ${FILES.tooLarge}`)
      const path = `${folder === '/' ? '' : folder}/${file.name}`
      const transfer = await begin({ vmName: machine, direction: 'upload', path, size: file.size, replace })
      if (transfer !== null) await send(file, transfer)
    },
    async download(path: string) {
      const transfer = await begin({ vmName: machine, direction: 'download', path })
      if (transfer === null) return
      Object.assign(document.createElement('a'), { href: bytesAt(transfer.id), download: '' }).click()
    },
    pause: (id: string) => stops.current.get(id)?.abort(),
    /** @param chosen after a reload, when this page has the file no more */
    async resume(transfer: Transfer, chosen?: File) {
      const file = chosen ?? files.current.get(transfer.id)
      if (file === undefined) return
      if (file.size !== transfer.size) return setProblem('This is another file than the one that was begun.')
      await look()
      await send(file, transfer)
    },
    has: (id: string) => files.current.has(id),
    async replace(transfer: Transfer, folder: string) {
      const file = files.current.get(transfer.id)
      await this.giveUp(transfer)
      if (file !== undefined) await this.upload(folder, file, true)
    },
    async giveUp({ id }: Transfer) {
      stops.current.get(id)?.abort()
      try {
        await api.remote.giveUp({ id })
      } catch (error) {
        setProblem(sentenceOf(error))
      }
      await look()
    },
  }
}
