import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { AskForm } from './AskForm.tsx'

export default function AskHours({ machines, close }: { machines: readonly string[]; close: () => void }) {
  const [vmName, setVmName] = useState(machines[0]!)
  return (
    <AskForm
      title="Request Hours"
      hoursOf="hours"
      send={({ minutes, reason }) => api.changeRequest.askHours({ vmName, minutes, reason })}
      close={close}
    >
      <NativeSelect label="Machine" data={[...machines]} {...controlledText(vmName, setVmName)} />
    </AskForm>
  )
}
