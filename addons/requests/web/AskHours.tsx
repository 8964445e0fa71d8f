import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { changeRequest } from '../contract/change-request.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { AskForm } from './AskForm.tsx'

export default function AskHours({ machines, close }: { machines: readonly string[]; close: () => void }) {
  const [vmName, setVmName] = useState(machines[0]!)
  return (
    <AskForm
      title="Request Hours"
      shape={changeRequest.askHours.body}
      asks="hours"
      bodyOf={({ minutes, reason }) => ({ vmName, minutes, reason })}
      send={api.changeRequest.askHours}
      close={close}
    >
      <NativeSelect label="Machine" data={[...machines]} {...controlledText(vmName, setVmName)} />
    </AskForm>
  )
}
