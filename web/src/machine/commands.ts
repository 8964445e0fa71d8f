import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import type { MachineStatus } from '@trainyard/contract/words/machine.ts'
import { MACHINES_PER_CALL, POWER_WAIT_SECONDS, UNDO_SECONDS } from '@trainyard/contract/words/limits.ts'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import type { CallOptions } from '#src/api/prefetch.ts'
import { api } from '#src/api/client.ts'
import { query, invalidate } from '#src/api/queries.ts'
import { useMutation } from '#src/api/useMutation.ts'
import type { OfTraining } from '#src/navigation/selection.ts'
import { notify, type Offer } from '#src/ui/notices.ts'
import { partsOf } from './machine-list.ts'

export type Command = 'on' | 'off' | 'restart'

/** The status that a commanded machine shows until the server's arrives. */
const ahead: Record<Command, MachineStatus> = { on: 'Starting', off: 'Stopping', restart: 'Restarting' }

interface Place {
  readonly name: string
  readonly resourceGroup: string
}

/** A command without an answer is dropped after this: on a line that hangs it might arrive when nobody means it. */
const PATIENCE_MS = 15_000

const send: Record<Command, (places: Place[], options: CallOptions) => Promise<{ message: string }>> = {
  on: (places, options) => api.machine.power([{ operation: 1 }, ...places], options),
  off: (places, options) => api.machine.power([{ operation: 0, undoable: true }, ...places], options),
  restart: (places, options) => api.machine.restart(places, options),
}

interface Commanded {
  readonly command: Command
  readonly machines: readonly Machine[]
}

/**
 * Returns the function that commands a training's machines, and whether it is sending a command already. The click
 * shows at once; the server's list then corrects it.
 */
export function useCommands(of: OfTraining | null) {
  const cache = useQueryClient()
  const { queryKey } = query(api.machine.list, of)
  const { mutate, isPending, variables } = useMutation({
    mutationKey: queryKey,
    mutationFn: async ({ command, machines }: Commanded) => {
      const places = machines.map(({ name, resourceGroup }) => ({ name, resourceGroup }))
      let reply = { message: '' }
      for (const part of partsOf(places, MACHINES_PER_CALL)) {
        reply = await send[command](part, { signal: AbortSignal.timeout(PATIENCE_MS) })
      }
      return reply
    },
    onMutate: async ({ command, machines }) => {
      await cache.cancelQueries({ queryKey })
      const commanded = new Set(machines.map((machine) => machine._id))
      const before = cache.getQueryData(queryKey)
      cache.setQueryData(queryKey, (list) =>
        list?.map((machine) =>
          commanded.has(machine._id) ? { ...machine, status: ahead[command], statusReason: null } : machine,
        ),
      )
      return new Map(before?.filter(({ _id }) => commanded.has(_id)).map((machine) => [machine._id, machine]))
    },
    onSuccess: (reply, { command, machines }) => {
      const seconds = POWER_WAIT_SECONDS * machines.length
      if (command === 'on') notify.status(ALERTS.powerStarted(seconds))
      else if (command === 'off') notify.status(ALERTS.powerStopped(seconds), offerUndo(machines))
      else notify.status(reply.message)
    },
    onError: (error, { command }, before) => {
      notify.alert(error.message, error)
      // A status that the server told meanwhile stays.
      cache.setQueryData(queryKey, (list) =>
        list?.map((machine) => (machine.status === ahead[command] && before?.get(machine._id)) || machine),
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

/** The stop goes out some seconds later, whatever becomes of this page: until then it can be taken back. */
const offerUndo = (machines: readonly Machine[]): Offer | undefined =>
  // A failing machine is stopped at once.
  machines.every((machine) => machine.isRunning)
    ? { label: 'Undo', seconds: UNDO_SECONDS, run: () => void undo(machines) }
    : undefined

async function undo(machines: readonly Machine[]): Promise<void> {
  const places = machines.map(({ name, resourceGroup }) => ({ name, resourceGroup }))
  try {
    const [reply, ...more] = await Promise.all(
      partsOf(places, MACHINES_PER_CALL).map((part) =>
        api.machine.undo(part, { signal: AbortSignal.timeout(PATIENCE_MS) }),
      ),
    )
    notify.status(more.length === 0 ? reply!.message : `${machines.length} machines run on.`)
  } catch (error) {
    notify.alert(error instanceof Error ? error.message : String(error), error)
  } finally {
    await invalidate(api.machine.list)
  }
}

/** Returns the function that has an image made of a stopped machine. Its card says so until the image is ready. */
export function useCapture() {
  const { mutate } = useMutation({
    mutationFn: ({ name }: Machine) => api.image.capture({ vm: name }),
    onSuccess: (reply) => notify.status(reply.message),
    onError: (error) => notify.alert(error.message, error),
    onSettled: () => invalidate('machine', 'image'),
  })
  return mutate
}
