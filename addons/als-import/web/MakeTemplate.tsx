import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { labImport } from '../contract/lab-import.ts'
import { numberProblem, parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { templateAddress } from '@trainyard/templates/web/slots.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'

interface MakeTemplateProps {
  lab: string
  proposed: ReplyOf<typeof labImport.plan>['newTemplate']
  close: () => void
}

export default function MakeTemplate({ lab, proposed, close }: MakeTemplateProps) {
  const [entered, setEntered] = useState({
    name: proposed.name,
    rate: '',
    resourceGroup: '',
    vnet: '',
    imageId: proposed.imageId,
  })
  const [privateNetwork, setPrivateNetwork] = useState('')
  const [tried, setTried] = useState(false)
  const making = useDialogSubmit(api.labImport.makeTemplate, ['labImport', 'template'], close)
  const rate = parseRupees(entered.rate)
  const problems = {
    name: entered.name.trim() === '' && 'Enter a name.',
    rate: (rate === null || rate < 0) && numberProblem(entered.rate, 'Enter rupees per hour, such as 12.50.'),
    resourceGroup: entered.resourceGroup.trim() === '' && 'Enter the resource group of the machines.',
    vnet: entered.vnet.trim() === '' && 'Enter the network of the machines.',
    imageId: entered.imageId.trim() === '' && 'Enter an image.',
  }
  const fieldOf = typedFields(entered, setEntered, tried ? problems : null)
  return (
    <FormDialog
      title="Create a Template"
      submit="Create and Assign"
      busy={making.isPending && 'Creating...'}
      onSubmit={() => {
        setTried(true)
        if (rate === null || Object.values(problems).some(Boolean)) return
        const { name, resourceGroup, vnet, imageId } = entered
        making.mutate({
          lab,
          name: name.trim(),
          rate,
          resourceGroup: resourceGroup.trim(),
          vnet: vnet.trim(),
          ...(privateNetwork !== '' && { privateNetwork }),
          imageId: imageId.trim(),
        })
      }}
      close={close}
    >
      <p>
        Size {proposed.vmSize}, {proposed.os}, {proposed.location}. The template is assigned to the organisation.
      </p>
      <TextInput data-autofocus label="Name" {...fieldOf('name')} />
      <TextInput label="Rate per hour (₹)" inputMode="decimal" {...fieldOf('rate')} />
      <TextInput label="Resource group" {...fieldOf('resourceGroup')} />
      <TextInput label="Network" {...fieldOf('vnet')} />
      <Fills of={templateAddress} props={{ network: privateNetwork, choose: setPrivateNetwork }} />
      <TextInput label="Image" description="publisher:offer:sku:version, or a resource ID" {...fieldOf('imageId')} />
    </FormDialog>
  )
}
