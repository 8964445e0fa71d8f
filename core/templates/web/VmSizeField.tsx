import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { VM_SIZES } from '@trainyard/platform/contract/words/limits.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { controlledCheck, controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { type Size, sizeFacts } from './size-facts.ts'

const isListed = (size: string): boolean => VM_SIZES.some((each) => each === size)

interface VmSizeFieldProps {
  size: string
  location: string
  error: ReactNode
  /** @param facts cores and memory, if the region's list has the size */
  choose: (size: string, facts?: Size) => void
}

/**
 * Field for the VM size. Offers the sizes of the region with cores, memory and the remaining core limit, or common sizes
 * of a region without a list.
 */
export function VmSizeField({ size, location, error, choose: chooseWith }: VmSizeFieldProps) {
  const [other, setOther] = useState(!isListed(size))
  const list = useId()
  const region = /^[a-z0-9]{2,40}$/.test(location.trim()) ? { location: location.trim() } : null
  const offered = useQuery(query(api.template.sizes, region))
  const sizes = offered.data?.sizes ?? []
  const found = sizes.find((each) => each.size.toLowerCase() === size.toLowerCase())
  const choose = (wanted: string) => {
    const facts = sizes.find((each) => each.size.toLowerCase() === wanted.toLowerCase())
    chooseWith(wanted, facts)
  }
  const names = sizes.filter(({ available }) => available).map((each) => each.size)
  const offers: readonly string[] = [...new Set([...VM_SIZES, ...names])]
  return (
    <>
      <div>
        <NativeSelect
          label="VM Size"
          data={offers.map((name) => {
            const facts = sizes.find((each) => each.size === name)
            return { value: name, label: facts ? `${name}, ${sizeFacts(facts)}` : name }
          })}
          disabled={other}
          {...controlledText(offers.includes(size) ? size : VM_SIZES[0], choose)}
        />
        <Checkbox
          mt="xs"
          label="Another size"
          {...controlledCheck(other, (wanted) => {
            setOther(wanted)
            choose(wanted ? '' : VM_SIZES[0])
          })}
        />
      </div>
      {other && (
        <div>
          <TextInput
            label="Other VM Size"
            description={
              found === undefined
                ? 'Any size of the region, such as Standard_E4s_v5. Type to search.'
                : sizeFacts(found)
            }
            placeholder="Standard_E4s_v5"
            autoComplete="off"
            list={list}
            data-path="vmSize"
            error={error}
            {...controlledText(size, choose)}
          />
          <datalist id={list}>
            {sizes
              .filter(({ available }) => available)
              .map((each) => (
                <option key={each.size} value={each.size}>
                  {sizeFacts(each)}
                </option>
              ))}
          </datalist>
        </div>
      )}
    </>
  )
}
