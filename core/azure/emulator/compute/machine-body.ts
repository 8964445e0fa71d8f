import { z } from 'zod'
import { envelope, reference } from '../arm/read-body.ts'

const deleteOption = z.enum(['Delete', 'Detach']).optional()

const managedDisk = z
  .looseObject({
    id: z.string().optional(),
    storageAccountType: z.string().optional(),
    diskEncryptionSet: reference.optional(),
  })
  .optional()

export const machineShape = z.looseObject({
  ...envelope,
  plan: z
    .looseObject({
      name: z.string().optional(),
      product: z.string().optional(),
      publisher: z.string().optional(),
    })
    .optional(),
  zones: z.array(z.string()).optional(),
  properties: z.looseObject({
    hardwareProfile: z.looseObject({ vmSize: z.string().optional() }).optional(),
    licenseType: z.string().optional(),
    securityProfile: z.looseObject({ encryptionAtHost: z.boolean().optional() }).optional(),
    storageProfile: z.looseObject({
      imageReference: z
        .looseObject({
          id: z.string().optional(),
          publisher: z.string().optional(),
          offer: z.string().optional(),
          sku: z.string().optional(),
          version: z.string().optional(),
          sharedGalleryImageId: z.string().optional(),
          communityGalleryImageId: z.string().optional(),
        })
        .optional(),
      osDisk: z
        .looseObject({
          name: z.string().optional(),
          createOption: z.enum(['FromImage', 'Empty', 'Attach', 'Copy', 'Restore']),
          osType: z.enum(['Windows', 'Linux']).optional(),
          diskSizeGB: z.int().optional(),
          deleteOption,
          managedDisk,
        })
        // Without an osDisk, the disk is created from the image and is not deleted with the machine.
        .default({ createOption: 'FromImage' }),
      dataDisks: z
        .array(
          z.looseObject({
            lun: z.int(),
            name: z.string().optional(),
            createOption: z.enum(['FromImage', 'Empty', 'Attach', 'Copy', 'Restore']),
            diskSizeGB: z.int().optional(),
            deleteOption,
            managedDisk,
          }),
        )
        .optional(),
    }),
    osProfile: z
      .looseObject({
        computerName: z.string().optional(),
        adminUsername: z.string().optional(),
        adminPassword: z.string().optional(),
        customData: z.string().optional(),
        windowsConfiguration: z.looseObject({}).optional(),
        linuxConfiguration: z.looseObject({ disablePasswordAuthentication: z.boolean().optional() }).optional(),
      })
      .optional(),
    networkProfile: z
      .looseObject({
        networkInterfaces: z
          .array(
            reference.extend({
              properties: z.looseObject({ primary: z.boolean().optional(), deleteOption }).optional(),
            }),
          )
          .optional(),
        networkInterfaceConfigurations: z.array(z.unknown()).optional(),
      })
      .optional(),
  }),
})

export type MachineBody = z.infer<typeof machineShape>
export type OsProfile = NonNullable<MachineBody['properties']['osProfile']>
export type ImageReference = NonNullable<MachineBody['properties']['storageProfile']['imageReference']>

export type Os = 'Windows' | 'Linux'

export function osOf(body: MachineBody): Os {
  const { osProfile, storageProfile } = body.properties
  if (storageProfile.osDisk.osType !== undefined) return storageProfile.osDisk.osType
  if (osProfile?.windowsConfiguration !== undefined) return 'Windows'
  return 'Linux'
}
