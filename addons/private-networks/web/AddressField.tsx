import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

export default function AddressField({ network, choose }: { network: string; choose: (network: string) => void }) {
  const networks = useQuery(query(api.network.list)).data?.networks ?? []
  return (
    <NativeSelect
      label="Address"
      description="How the portal and its users reach the machines."
      data={[
        { value: '', label: 'Public address' },
        ...networks.map(({ name }) => ({ value: name, label: `Private address in ${name}` })),
      ]}
      {...controlledText(network, choose)}
    />
  )
}
