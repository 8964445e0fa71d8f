import { findMachine } from '@trainyard/machines/web/slots.ts'
import { provided } from '@trainyard/platform/web/shell/modules.ts'
import { useEffect, useState } from 'react'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { messageOf } from '@trainyard/platform/web/api/error.ts'
import { readSession } from '@trainyard/platform/web/session/session.ts'
import { notify } from '@trainyard/platform/web/ui/notices.ts'

const REFRESH_MS = 5_000

/** Training of a machine, as the calls take it. */
interface Place {
  readonly trainingName: string
  readonly organization?: string
}

/** Follows the state of a machine whose terminal or desktop has ended. */
export function useEndedMachine(name: string) {
  /** Undefined during the first look; null if the user cannot see the machine in a list, such as an instructor. */
  const [found, setFound] = useState<Machine | null | undefined>(undefined)
  const [place, setPlace] = useState<Place | null>(null)
  /** Number of refused commands. Each means that the state shown is not the machine's. */
  const [refusals, setRefusals] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    let known: Place | null = null
    const look = async () => {
      try {
        known ??= await placeOf(name)
        const list = known && (await api.machine.list(known))
        if (isOver) return
        setPlace(known)
        setFound(list?.find((machine) => machine.name === name) ?? null)
      } catch {
        if (!isOver) setFound((before) => before ?? null)
      }
      if (!isOver) timer = setTimeout(() => void look(), REFRESH_MS)
    }
    void look()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [name, refusals])
  const search = place && new URLSearchParams({ ...place, training: place.trainingName })
  search?.delete('trainingName')
  return {
    found,
    console: search === null ? '/vm/vmdetails' : `/vm/vmdetails?${search.toString()}`,
    powerOn: () => {
      const { resourceGroup } = found!
      api.machine
        .power([{ operation: 1 }, { name, resourceGroup }])
        .then(() => setFound((before) => before && { ...before, status: 'Starting' }))
        .catch((error: unknown) => {
          notify.alert(messageOf(error), error)
          setRefusals((count) => count + 1)
        })
    },
  }
}

async function placeOf(name: string): Promise<Place | null> {
  const place = await provided(findMachine)?.(api, name)
  if (!place) return null
  return {
    trainingName: place.training,
    ...(readSession()?.role === 'superadmin' && { organization: place.organization }),
  }
}
