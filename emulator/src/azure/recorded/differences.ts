/** A way in which the emulator is known to differ from recordings; each pattern is met by at least one. */
export interface Difference {
  readonly why: string
  /** Of `GET disks: lacks properties.tier (string)`. */
  readonly shown: readonly RegExp[]
}

/** Every difference listed here must be met, and no other may be: a mended one leaves the list. */
export const DIFFERENCES: readonly Difference[] = [
  {
    why: 'Azure shows fields that its published interface does not have; the emulator keeps to the interface',
    shown: [
      /networkInterfaces: lacks kind/,
      /networkInterfaces: lacks properties\.allowPort25Out/,
      /disks.*: lacks .*LastOwnershipUpdateTime/,
      /usages list: lacks value\[\]\.isAdjustable/,
    ],
  },
  {
    why: 'Azure answers null, or a field of an older interface, where the published one has strings; the emulator leaves them out',
    shown: [
      /roleAssignments.*: lacks .*(condition|conditionVersion|delegatedManagedIdentityResourceId|description) \(null\)/,
      /roleAssignments: properties\.createdBy is string, not null/,
      /roleAssignments: lacks properties\.canDelegate/,
    ],
  },
  {
    why: 'The recorded thing belongs to something that the emulator has none of, or had more to it than is made here',
    shown: [
      /networkSecurityGroups: lacks properties\.(subnets|networkInterfaces) /,
      /subnets: lacks properties\.ipConfigurations/,
      /(publicIPAddresses|virtualNetworks): lacks extendedLocation/,
      /virtualNetworks: lacks properties\.dhcpOptions\.dnsServers/,
      /networkInterfaces: adds properties\.ipConfigurations\[\]\.properties\.(applicationGateway|loadBalancer)BackendAddressPools/,
      /networkInterfaces list: (lacks value\[\]\.properties\.macAddress|adds value\[\]\.properties\.dnsSettings\.internalDomainNameSuffix)/,
      /virtualMachines( list)?: lacks (value\[\]\.)?resources/,
      /virtualMachines: lacks properties\.instanceView\.(extensions|vmAgent\.extensionHandlers\[\])/,
      /virtualMachines: lacks (identity|tags) /,
      /virtualMachines: lacks properties\.storageProfile\..*vhd/,
      /virtualMachines: adds properties\.storageProfile\.(osDisk|dataDisks\[\])\.managedDisk$/,
      /virtualMachines: lacks properties\.storageProfile\.imageReference\.id/,
      /virtualMachines: adds properties\.storageProfile\.imageReference\.(publisher|offer|sku|version)/,
      /disks: lacks properties\.diskAccessId/,
      /disks list: lacks value\[\]\.tags/,
      /disks: adds properties\.(creationData\.imageReference|hyperVGeneration|osType)/,
      /galleries\/images\/versions.*: lacks .*(dataDiskImages|osDiskImage\.source\.id)/,
      /galleries\/images\/versions: adds properties\.storageProfile\.source$/,
      /policyAssignments: (lacks (identity|location)|lacks properties\.description|adds properties\.parameters)/,
      /resources list: (lacks value\[\] |lacks nextLink|adds value\[\]\.sku)/,
      /roleAssignments list: lacks value\[\] /,
      /users list: lacks value\[\] /,
      /subscriptions: lacks tags/,
      /resourceGroups: lacks tags/,
      /skus list: lacks value\[\]\.restrictions\[\]/,
    ],
  },
  {
    why: 'Azure answers in either way; the emulator in the one that is recorded more often or asks more of a client',
    shown: [
      /networkInterfaces: lacks header azure-asyncoperation/,
      /GET locations\/operations: nothing to look at/,
      /networkInterfaces: properties\.provisioningState is Succeeded, not Updating/,
      /networkInterfaces: lacks properties\.enableAcceleratedNetworking/,
      /publicIPAddresses: (adds properties\.ipAddress|lacks properties\.ddosSettings)/,
      /PUT virtualNetworks\/subnets: status 429 RetryableError, not 409/,
      /operationResults: adds header location/,
      /GET (disks|virtualMachines): error\.code is ResourceNotFound, not NotFound/,
      /(PUT|PATCH) virtualMachines: adds header azure-asyncoperation/,
      /virtualMachines\/extensions: lacks properties\.settings/,
      /galleries\/images(\/versions)?: lacks tags/,
    ],
  },
  {
    why: 'api-versions of 2016 to 2020 show less and call it otherwise, where no later recording tells from when on',
    shown: [
      /galleries\/images\/versions list: (adds|lacks) /,
      /galleries\/images\/versions: (adds properties\.storageProfile\.source\.virtualMachineId|lacks properties\.storageProfile\.source\.id)/,
      /virtualMachines.*: adds .*patchSettings\.assessmentMode/,
      /virtualMachines: adds properties\.storageProfile\.osDisk\.diskSizeGB/,
      /virtualMachines: adds properties\.storageProfile\.dataDisks\[\]\.toBeDetached/,
      /skus list: adds value\[\]\.locationInfo/,
    ],
  },
  {
    why: 'Machines made long ago or attached to disks of their own show less; the emulator makes them anew',
    shown: [
      /virtualMachines( list)?: adds .*osProfile\.(allowExtensionOperations|requireGuestProvisionSignal)/,
      /virtualMachines( list)?: adds .*linuxConfiguration\.provisionVMAgent/,
      /GET virtualMachines: adds properties\.instanceView\.(computerName|osName|osVersion|vmAgent\.extensionHandlers)/,
      /PUT virtualMachines: status 400 InvalidParameter, not 201/,
    ],
  },
  {
    why: 'Images that were retired since stand in no catalogue any more',
    shown: [/locations\/publishers\/.*: status 404 NotFound, not (200|400)/],
  },
  {
    why: 'The emulator has not got so far, and nothing of the portal needs it: not mended',
    shown: [
      /disks.*: lacks .*(supportedCapabilities|supportsHibernation)/,
      /locations\/publishers\/.*: lacks properties\./,
      /providers: (adds|lacks) /,
      /POST providers\/register: status 404/,
      /PATCH users: status 400 Request_BadRequest, not 204/,
      /PUT galleries: lacks properties\.sharingProfile\.communityGalleryInfo\./,
      /PUT virtualMachines: adds properties\.storageProfile\.(osDisk|dataDisks\[\])\.(name|managedDisk\.id)/,
      /PUT virtualMachines\/extensions: status 400 InvalidRequestFormat, not 200/,
    ],
  },
]
