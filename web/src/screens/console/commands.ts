import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import type { MachineStatus } from '@trainyard/contract/words/machine.ts'
import { MACHINES_PER_CALL, POWER_WAIT_SECONDS } from '@trainyard/contract/words/limits.ts'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import { api } from '#src/api.ts'
import type { OfTraining } from '#src/selection.ts'
import { notify } from '#src/ui/notices.ts'
import { machinesKey } from './machines.ts'
import { partsOf } from './parts.ts'

export type Command = 'on' | 'off' | 'restart'

/** What a commanded machine shows until the server's own word of it arrives. */
const ahead: Record<Command, MachineStatus> = { on: 'Starting', off: 'Stopping', restart: 'Restarting' }

interface Place {
  readonly name: string
  readonly resourceGroup: string
}

const send: Record<Command, (places: Place[]) => Promise<{ message: string }>> = {
  on: (places) => api.machine.power([{ operation: 1 }, ...places]),
  off: (places) => api.machine.power([{ operation: 0 }, ...places]),
  restart: (places) => api.machine.restart(places),
}

/** The commands for a training's machines. The click shows at once; the server's list then says how it is. */
export function useCommands(of: OfTraining | null) {
  const cache = useQueryClient()
  const key = machinesKey(of)
  const { mutate } = useMutation({
    mutationFn: async ({ command, machines }: { command: Command; machines: readonly Machine[] }) => {
      const places = machines.map(({ name, resourceGroup }) => ({ name, resourceGroup }))
      let reply = { message: '' }
      for (const part of partsOf(places, MACHINES_PER_CALL)) reply = await send[command](part)
      return reply
    },
    onMutate: async ({ command, machines }) => {
      await cache.cancelQueries({ queryKey: key })
      const commanded = new Set(machines.map((machine) => machine._id))
      cache.setQueryData<Machine[]>(key, (list) =>
        list?.map((machine) =>
          commanded.has(machine._id) ? { ...machine, status: ahead[command], statusReason: null } : machine,
        ),
      )
    },
    onSuccess: (reply, { command, machines }) => {
      const seconds = POWER_WAIT_SECONDS * machines.length
      if (command === 'on') notify.status(ALERTS.powerStarted(seconds))
      else if (command === 'off') notify.status(ALERTS.powerStopped(seconds))
      else notify.status(reply.message)
    },
    onError: (error) => notify.alert(error.message),
    onSettled: () => cache.invalidateQueries({ queryKey: key }),
  })
  return mutate
}
