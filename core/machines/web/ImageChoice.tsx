import { NativeSelect } from '@mantine/core'
import type { CapturedImage } from '../contract/image.ts'
import { useImages } from './useImages.ts'
import { formatInstant } from '@trainyard/platform/web/ui/time.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'

const TYPED = 'From the field Image ID'

interface ImageChoiceProps {
  imageId: string
  choose: (image: CapturedImage) => void
  /** Clears the image, so that the user can enter an image ID manually. */
  clear: () => void
}

export default function ImageChoice({ imageId, choose, clear }: ImageChoiceProps) {
  const { timeZone } = useMe()
  const images = useImages()
  const ready = images.data?.filter((image) => image.imageId !== null) ?? []
  const chosen = ready.find((image) => image.imageId === imageId.trim())
  return (
    <NativeSelect
      label="Image of a machine"
      description={
        chosen
          ? `This card can be assigned only to ${chosen.organization}, which owned the machine.`
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
