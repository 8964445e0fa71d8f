import { useCallback, useEffect, useRef, useState } from 'react'
import type { Transfer } from '../../contract/remote.ts'
import { FILE_BYTES_MAX, FILE_MESSAGES } from '@trainyard/platform/contract/words/file.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { messageOf } from '@trainyard/platform/web/api/error.ts'
import { bytesAt, sendFile } from './send-file.ts'

export interface TransferState extends Transfer {
  readonly sending: boolean
  readonly problem: string | null
  readonly fileExists: boolean
}

const POLL_MS = 1_000

export function useTransfers(machine: string, changed: () => void) {
  const [allowed, setAllowed] = useState<boolean | null>(null)
  const [transfers, setTransfers] = useState<readonly Transfer[]>([])
  const [states, setStates] = useState<Readonly<Record<string, Pick<TransferState, 'sending' | 'problem'>>>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const files = useRef(new Map<string, File>())
  const stops = useRef(new Map<string, AbortController>())

  const refresh = useCallback(async () => {
    try {
      const reply = await api.remote.transfers({ vmName: machine })
      setAllowed(reply.allowed)
      setTransfers(reply.transfers)
    } catch (error) {
      setProblem(messageOf(error))
    }
  }, [machine])
  useEffect(() => void refresh(), [refresh])
  const downloads = transfers.some(({ direction, result }) => direction === 'download' && result === null)
  useEffect(() => {
    if (!downloads) return undefined
    const polling = setInterval(() => void refresh(), POLL_MS)
    return () => clearInterval(polling)
  }, [downloads, refresh])
  useEffect(() => {
    const running = stops.current
    return () => {
      for (const stop of running.values()) stop.abort()
    }
  }, [])

  const send = useCallback(
    async (file: File, transfer: Transfer) => {
      const stop = new AbortController()
      const setState = (sending: boolean, reason: string | null) =>
        setStates((before) => ({ ...before, [transfer.id]: { sending, problem: reason } }))
      stops.current.set(transfer.id, stop)
      files.current.set(transfer.id, file)
      setState(true, null)
      try {
        await sendFile(file, transfer, {
          signal: stop.signal,
          onProgress: (done) =>
            setTransfers((before) => before.map((each) => (each.id === transfer.id ? { ...each, done } : each))),
        })
        setState(false, null)
        changed()
      } catch (error) {
        setState(false, stop.signal.aborted ? null : messageOf(error))
      }
      await refresh()
    },
    [refresh, changed],
  )

  const begin = useCallback(async (request: Parameters<typeof api.remote.transfer>[0]): Promise<Transfer | null> => {
    setProblem(null)
    try {
      const transfer = await api.remote.transfer(request)
      setTransfers((before) => [transfer, ...before])
      return transfer
    } catch (error) {
      setProblem(messageOf(error))
      return null
    }
  }, [])

  return {
    allowed,
    problem,
    transfers: transfers.map((transfer): TransferState => {
      const state = states[transfer.id] ?? { sending: false, problem: null }
      const fileExists = state.problem?.endsWith(FILE_MESSAGES.exists('')) ?? false
      return { ...transfer, ...state, fileExists }
    }),
    async upload(folder: string, file: File, replace = false) {
      if (file.size > FILE_BYTES_MAX) return setProblem(`${file.name}: ${FILE_MESSAGES.tooLarge}`)
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
    /** @param chosen file to resume with, needed after a reload because the page no longer has it */
    async resume(transfer: Transfer, chosen?: File) {
      const file = chosen ?? files.current.get(transfer.id)
      if (file === undefined) return
      if (file.size !== transfer.size) return setProblem('This is not the file of the started transfer.')
      await refresh()
      await send(file, transfer)
    },
    has: (id: string) => files.current.has(id),
    async replace(transfer: Transfer, folder: string) {
      const file = files.current.get(transfer.id)
      await this.cancel(transfer)
      if (file !== undefined) await this.upload(folder, file, true)
    },
    async cancel({ id }: Transfer) {
      stops.current.get(id)?.abort()
      try {
        await api.remote.giveUp({ id })
      } catch (error) {
        setProblem(messageOf(error))
      }
      await refresh()
    },
  }
}
