/** A known difference between the emulator and recordings. Each pattern must match at least one recording. */
export interface Difference {
  readonly reason: string
  /** Patterns for lines such as `GET disks: lacks properties.tier (string)`. */
  readonly patterns: readonly RegExp[]
}

/** All known differences. A difference that no longer occurs, or is not listed, fails the test. */
export const DIFFERENCES: readonly Difference[] = [
  {
    reason:
      'The recorded subscription had resources of types that the emulator does not have, so it refuses references to them',
    patterns: [
      /^PUT (networkInterfaces|networkSecurityGroups\/securityRules|virtualNetworks\/subnets): status 400 InvalidResourceReference, not 20[01]$/,
      /^GET publicIPAddresses: lacks properties\.natGateway \(object\)$/,
    ],
  },
  {
    reason: 'Azure returns fields that are not in its published interface; the emulator conforms to the interface',
    patterns: [
      /^(GET|PUT) networkInterfaces: lacks kind \(string\)$/,
      /^(GET|PUT) networkInterfaces: lacks properties\.allowPort25Out \(boolean\)$/,
      /^GET disks( list)?: lacks (value\[\]\.)?properties\.LastOwnershipUpdateTime \(string\)$/,
      /^GET locations\/usages list: lacks value\[\]\.isAdjustable \(boolean\)$/,
    ],
  },
  {
    reason:
      'Azure returns null or a field of an older interface instead of published strings; the emulator leaves them out',
    patterns: [
      /^(GET|PUT|DELETE) roleAssignments( list)?: lacks (value\[\]\.)?properties\.(condition|conditionVersion|delegatedManagedIdentityResourceId|description) \(null\)$/,
      /^(PUT|DELETE) roleAssignments: properties\.createdBy is string, not null$/,
      /^(GET|PUT|DELETE) roleAssignments: lacks properties\.canDelegate \(boolean\)$/,
    ],
  },
  {
    reason: 'The recorded group or network had other resources, which appear in the reply',
    patterns: [
      /^GET networkSecurityGroups: lacks properties\.subnets \(array\)$/,
      /^PUT networkSecurityGroups: lacks properties\.networkInterfaces \(array\)$/,
      /^(GET|PUT) virtualNetworks\/subnets: lacks properties\.ipConfigurations \(array\)$/,
      /^PUT virtualNetworks: lacks properties\.dhcpOptions\.dnsServers \(array\)$/,
      /^GET networkInterfaces list: lacks value\[\]\.properties\.macAddress \(string\)$/,
      /^GET networkInterfaces list: adds value\[\]\.properties\.dnsSettings\.internalDomainNameSuffix$/,
    ],
  },
  {
    reason: 'The recorded list had more resources than the replay creates, or none of that type',
    patterns: [
      /^GET resources list: lacks (value\[\] \(object\)|nextLink \(string\))$/,
      /^GET resources list: adds value\[\]\.sku$/,
      /^GET (roleAssignments|users) list: lacks value\[\] \(object\)$/,
      /^GET skus list: lacks value\[\]\.restrictions\[\] \(object\)$/,
    ],
  },
  {
    reason: 'The recorded machine had extensions from an earlier call, which is not replayed',
    patterns: [
      /^(GET|PUT|PATCH) virtualMachines: lacks resources \(array\)$/,
      /^GET virtualMachines list: lacks value\[\]\.resources \(array\)$/,
      /^GET virtualMachines: lacks properties\.instanceView\.(extensions \(array\)|vmAgent\.extensionHandlers\[\] \(object\))$/,
    ],
  },
  {
    reason:
      'The recorded machine had disks in a storage account or a custom image; the replay uses managed disks and catalogued images',
    patterns: [
      /^(GET|PUT) virtualMachines: lacks properties\.storageProfile\.(osDisk|dataDisks\[\])\.vhd \(object\)$/,
      /^(GET|PUT) virtualMachines: adds properties\.storageProfile\.(osDisk|dataDisks\[\])\.managedDisk$/,
      /^PUT virtualMachines: lacks properties\.storageProfile\.imageReference\.id \(string\)$/,
      /^PUT virtualMachines: adds properties\.storageProfile\.imageReference\.(publisher|offer|sku|version)$/,
    ],
  },
  {
    reason:
      'The recorded image version was created from a disk or had data disks; the replay creates it from a machine with one disk',
    patterns: [
      /^GET galleries\/images\/versions: lacks properties\.storageProfile\.(dataDiskImages \(array\)|osDiskImage\.source\.id \(string\))$/,
      /^GET galleries\/images\/versions: adds properties\.storageProfile\.source$/,
    ],
  },
  {
    reason:
      'The recorded policy assignment had an identity and no parameters; the portal uses parameters and no identity',
    patterns: [
      /^(GET|PUT|DELETE) policyAssignments: lacks (identity \(object\)|location \(string\))$/,
      /^GET policyAssignments: lacks properties\.description \(string\)$/,
      /^(GET|PUT|DELETE) policyAssignments: adds properties\.parameters$/,
    ],
  },
  {
    reason: 'The recorded resource had tags from an earlier call or from Azure itself, which the replay does not set',
    patterns: [
      /^(GET|PUT) virtualMachines: lacks tags \(object\)$/,
      /^GET disks list: lacks value\[\]\.tags \(object\)$/,
      /^GET (subscriptions|resourceGroups|galleries\/images\/versions): lacks tags \(object\)$/,
    ],
  },
  {
    reason: 'The request contains an identity or an edge zone, which the emulator does not support',
    patterns: [
      /^(GET|PUT) virtualMachines: lacks identity \(object\)$/,
      /^PUT (publicIPAddresses|virtualNetworks): lacks extendedLocation \(object\)$/,
    ],
  },
  {
    reason: 'The request has an empty list, which Azure leaves out of its reply and the emulator returns',
    patterns: [
      /^PUT networkInterfaces: adds properties\.ipConfigurations\[\]\.properties\.(applicationGateway|loadBalancer)BackendAddressPools$/,
    ],
  },
  {
    reason: "The recorded disk was empty, once behind a private endpoint; the replay uses a machine's disk",
    patterns: [
      /^GET disks: lacks properties\.diskAccessId \(string\)$/,
      /^GET disks: adds properties\.(creationData\.imageReference|hyperVGeneration|osType)$/,
    ],
  },
  {
    reason: 'Azure replies in either way; the emulator in the way that is recorded more often or is harder for clients',
    patterns: [
      /^PUT networkInterfaces: lacks header azure-asyncoperation$/,
      /^GET locations\/operations: no poll address$/,
      /^PUT networkInterfaces: properties\.provisioningState is Succeeded, not Updating$/,
      /^PUT networkInterfaces: lacks properties\.enableAcceleratedNetworking \(boolean\)$/,
      /^PUT publicIPAddresses: (adds properties\.ipAddress|lacks properties\.ddosSettings \(object\))$/,
      /^PUT virtualNetworks\/subnets: status 429 RetryableError, not 409$/,
      /^GET operationResults: adds header location$/,
      /^GET (disks|virtualMachines): error\.code is ResourceNotFound, not NotFound$/,
      /^(PUT|PATCH) virtualMachines: adds header azure-asyncoperation$/,
      /^(GET|PUT) virtualMachines\/extensions: lacks properties\.settings \(object\)$/,
    ],
  },
  {
    reason: 'api-versions of 2016 to 2020 have fewer or renamed fields, and no later recording shows since when',
    patterns: [
      /^GET galleries\/images\/versions list: adds value\[\]\.(type|properties\.safetyProfile)$/,
      /^GET galleries\/images\/versions list: adds value\[\]\.properties\.publishingProfile\.(replicaCount|storageAccountType|targetRegions)$/,
      /^GET galleries\/images\/versions list: adds value\[\]\.properties\.storageProfile\.(source|osDiskImage\.source)$/,
      /^GET galleries\/images\/versions list: lacks value\[\]\.properties\.publishingProfile\.(regions \(array\)|scaleTier \(string\)|source \(object\))$/,
      /^GET galleries\/images\/versions list: lacks value\[\]\.properties\.storageProfile\.dataDiskImages \(array\)$/,
      /^GET galleries\/images\/versions: (adds properties\.storageProfile\.source\.virtualMachineId|lacks properties\.storageProfile\.source\.id \(string\))$/,
      /^(GET|PUT) virtualMachines: adds properties\.osProfile\.linuxConfiguration\.patchSettings\.assessmentMode$/,
      /^PUT virtualMachines: adds properties\.storageProfile\.osDisk\.diskSizeGB$/,
      /^PUT virtualMachines: adds properties\.storageProfile\.dataDisks\[\]\.toBeDetached$/,
      /^GET skus list: adds value\[\]\.locationInfo$/,
    ],
  },
  {
    reason: 'Old machines and machines with attached disks have fewer fields; the replay creates new ones',
    patterns: [
      /^(PATCH virtualMachines: adds |GET virtualMachines list: adds value\[\]\.)properties\.osProfile\.(allowExtensionOperations|requireGuestProvisionSignal)$/,
      /^((PUT|PATCH) virtualMachines: adds |GET virtualMachines list: adds value\[\]\.)properties\.osProfile\.linuxConfiguration\.provisionVMAgent$/,
      /^GET virtualMachines: adds properties\.instanceView\.(computerName|osName|osVersion|vmAgent\.extensionHandlers)$/,
      /^PUT virtualMachines: status 400 InvalidParameter, not 201$/,
    ],
  },
  {
    reason: 'Retired images are no longer in the catalogue',
    patterns: [
      /^GET locations\/publishers\/artifacttypes\/offers\/skus\/versions list: status 404 NotFound, not (200|400)$/,
      /^GET locations\/publishers\/artifacttypes\/offers\/skus\/versions: status 404 NotFound, not 200$/,
    ],
  },
  {
    reason: 'Not implemented because the portal does not need it',
    patterns: [
      /^GET disks( list)?: lacks (value\[\]\.)?properties\.(supportedCapabilities \(object\)|supportsHibernation \(boolean\))$/,
      /^GET locations\/publishers\/artifacttypes\/offers\/skus\/versions: lacks properties\.(automaticOSUpgradeProperties|disallowed|imageDeprecationStatus) \(object\)$/,
      /^GET locations\/publishers\/artifacttypes\/offers\/skus\/versions: lacks properties\.(features \(array\)|osDiskImage\.sizeInBytes \(number\)|replicaType \(string\))$/,
      /^GET providers: adds (registrationPolicy|resourceTypes\[\]\.locations)$/,
      /^GET providers: lacks (authorizations \(array\)|resourceTypes\[\]\.apiVersions\[\] \(string\))$/,
      /^POST providers\/register: status 404 InvalidResourceNamespace, not 200$/,
      /^PATCH users: status 400 Request_BadRequest, not 204$/,
      /^PUT galleries: lacks properties\.sharingProfile\.communityGalleryInfo\.(communityGalleryEnabled \(boolean\)|publicNames \(array\))$/,
      /^PUT virtualMachines: adds properties\.storageProfile\.dataDisks\[\]\.(name|managedDisk\.id)$/,
      /^PUT virtualMachines\/extensions: status 400 InvalidRequestFormat, not 200$/,
    ],
  },
]
