import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Machine } from '../contract/machine.ts'
import { type MachineRef, refOf } from '../contract/machine-ref.ts'
import type { MachineStatus } from '../contract/machine-words.ts'
import {
  MACHINES_PER_CALL,
  POWER_WAIT_SECONDS,
  START_UNDO_SECONDS,
  UNDO_HEADER,
  UNDO_SECONDS,
} from '@trainyard/platform/contract/words/limits.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api, type CallOptions } from '@trainyard/platform/web/api/client.ts'
import { messageOf } from '@trainyard/platform/web/api/error.ts'
import { query, invalidate } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { notify, type Offer } from '@trainyard/platform/web/ui/notices.ts'
import { chunksOf } from './machine-list.ts'

export type Command = 'on' | 'off' | 'restart'

/** Status shown after a command until the server's status arrives. */
const expectedStatus: Record<Command, MachineStatus> = { on: 'Starting', off: 'Stopping', restart: 'Restarting' }

/** Timeout of a command, in ms. A command on a stalled connection could otherwise run long after the click. */
const TIMEOUT_MS = 15_000

const UNDOABLE = { [UNDO_HEADER]: '1' } as const

const send: Record<Command, (places: MachineRef[], options: CallOptions) => Promise<{ message: string }>> = {
  on: (places, options) => api.machine.power([{ operation: 1 }, ...places], { ...options, headers: UNDOABLE }),
  off: (places, options) => api.machine.power([{ operation: 0 }, ...places], { ...options, headers: UNDOABLE }),
  restart: (places, options) => api.machine.restart(places, options),
}

interface Commanded {
  readonly command: Command
  readonly machines: readonly Machine[]
}

/** Sends commands. Shows the expected status at once, until the server's list replaces it. */
export function useCommands(training: TrainingQuery | null) {
  const cache = useQueryClient()
  const { queryKey } = query(api.machine.list, training)
  const { mutate, isPending, variables } = useDedupedMutation({
    mutationKey: queryKey,
    mutationFn: async ({ command, machines }: Commanded) => {
      const places = machines.map(refOf)
      let reply = { message: '' }
      for (const part of chunksOf(places, MACHINES_PER_CALL)) {
        reply = await send[command](part, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      }
      return reply
    },
    onMutate: async ({ command, machines }) => {
      await cache.cancelQueries({ queryKey })
      const commanded = new Set(machines.map((machine) => machine._id))
      const before = cache.getQueryData(queryKey)
      cache.setQueryData(queryKey, (list) =>
        list?.map((machine) =>
          commanded.has(machine._id) ? { ...machine, status: expectedStatus[command], statusReason: null } : machine,
        ),
      )
      return new Map(before?.filter(({ _id }) => commanded.has(_id)).map((machine) => [machine._id, machine]))
    },
    onSuccess: (reply, { command, machines }) => {
      const seconds = POWER_WAIT_SECONDS * machines.length
      if (command === 'on') notify.status(ALERTS.powerStarted(seconds), startOffer(machines))
      else if (command === 'off') notify.status(ALERTS.powerStopped(seconds), undoOffer(machines))
      else notify.status(reply.message)
    },
    onError: (error, { command }, before) => {
      notify.alert(error.message, error)
      // Restores the previous status, unless the server has sent a new one.
      cache.setQueryData(queryKey, (list) =>
        list?.map((machine) => (machine.status === expectedStatus[command] && before?.get(machine._id)) || machine),
      )
    },
    onSettled: () => cache.invalidateQueries({ queryKey }),
  })
  const isSending = useCallback(
    ({ command, machines }: Commanded) =>
      isPending &&
      variables.command === command &&
      machines.every(({ _id }) => variables.machines.some((sent) => sent._id === _id)),
    [isPending, variables],
  )
  return { command: mutate, isSending }
}

/** Offers to undo a power-off. The server delays the stop by a few seconds, even if this page is closed. */
const undoOffer = (machines: readonly Machine[]): Offer | undefined =>
  machines.every((machine) => machine.isRunning) ? undoOf(machines) : undefined

/** Offers to undo a start of several machines, which the server delays in the same way. */
const startOffer = (machines: readonly Machine[]): Offer | undefined =>
  machines.length > 1 && machines.every(({ status }) => status === 'Stopped' || status === 'Planned')
    ? undoOf(machines, START_UNDO_SECONDS)
    : undefined

export const undoOf = (machines: readonly MachineRef[], seconds = UNDO_SECONDS): Offer => ({
  label: 'Undo',
  seconds,
  run: () => void undo(machines),
})

/** Adds the offer to undo to the server's message, if any machine can still be stopped or started again. */
export function offerUndo(
  { message, undoable }: { message: string; undoable: readonly MachineRef[] },
  seconds?: number,
): void {
  if (undoable.length > 0) notify.status(message, undoOf(undoable, seconds))
}

async function undo(machines: readonly MachineRef[]): Promise<void> {
  const places = machines.map(refOf)
  try {
    const [reply, ...otherReplies] = await Promise.all(
      chunksOf(places, MACHINES_PER_CALL).map((part) =>
        api.machine.undo(part, { signal: AbortSignal.timeout(TIMEOUT_MS) }),
      ),
    )
    notify.status(
      otherReplies.length === 0 ? reply!.message : `The command for ${machines.length} machines was undone.`,
    )
  } catch (error) {
    notify.alert(messageOf(error), error)
  } finally {
    await invalidate(api.machine.list)
  }
}

export function useCapture() {
  return useAction(({ name }: Machine) => api.image.capture({ vm: name }), {
    invalidates: ['machine', 'image'],
    done: ALERTS.imageInProgress,
    refetchesOnFailure: true,
  }).mutate
}
