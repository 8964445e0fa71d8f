import { memo, useMemo } from 'react'
import type { Machine } from '../contract/machine.ts'
import type { MachineStatus } from '../contract/machine-words.ts'
import { CountFilter } from '@trainyard/platform/web/ui/CountFilter.tsx'
import { countStates } from './view.ts'

interface StatusFilterProps {
  machines: readonly Machine[]
  chosen: MachineStatus | null
  choose: (state: MachineStatus | null) => void
}

export const StatusFilter = memo(function StatusFilter({ machines, chosen, choose }: StatusFilterProps) {
  const counts = useMemo(() => countStates(machines), [machines])
  if (counts.length < 2 && chosen === null) return null
  const listed =
    chosen === null || counts.some(({ status }) => status === chosen)
      ? counts
      : [...counts, { status: chosen, count: 0 }]
  return (
    <CountFilter<MachineStatus | null>
      label="State"
      options={[
        { value: null, label: 'All', count: machines.length },
        ...listed.map(({ status, count }) => ({ value: status, label: status, count, warns: status === 'Failing' })),
      ]}
      chosen={chosen}
      choose={(status) => choose(status === chosen ? null : status)}
    />
  )
})
