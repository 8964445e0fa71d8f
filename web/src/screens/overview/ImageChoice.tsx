import { NativeSelect } from '@mantine/core'
import type { CapturedImage } from '@trainyard/contract/calls/image.ts'
import { useImages } from './useImages.ts'
import { formatInstant } from '#src/ui/time.ts'
import { useMe } from '#src/session/me.ts'

const TYPED = 'As typed under Image ID'

interface ImageChoiceProps {
  imageId: string
  choose: (image: CapturedImage) => void
  /** Called when another image's id is going to be typed. */
  clear: () => void
}

/** Chooses an image that was made of a machine; any other image's id is typed beside it. */
export function ImageChoice({ imageId, choose, clear }: ImageChoiceProps) {
  const { timeZone } = useMe()
  const images = useImages()
  const ready = images.data?.filter((image) => image.imageId !== null) ?? []
  const chosen = ready.find((image) => image.imageId === imageId.trim())
  return (
    <NativeSelect
      label="Image of a machine"
      description={
        chosen
          ? `Only ${chosen.organization} can be assigned this card: the machine was theirs.`
          : 'Snapshots that are ready.'
      }
      data={[
        { value: '', label: ready.length === 0 ? `${TYPED} (no snapshot is ready)` : TYPED },
        ...ready.map((image) => ({
          value: image.imageId!,
          label: `${image.machine} of ${image.organization}, ${formatInstant(image.createdTime, timeZone)}`,
        })),
      ]}
      value={chosen?.imageId ?? ''}
      onChange={(event) => {
        const image = ready.find((one) => one.imageId === event.currentTarget.value)
        if (image) choose(image)
        else clear()
      }}
    />
  )
}
