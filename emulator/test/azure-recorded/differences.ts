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
      /^(GET|PUT) networkInterfaces: lacks kind \(string\)$/,
      /^(GET|PUT) networkInterfaces: lacks properties\.allowPort25Out \(boolean\)$/,
      /^GET disks( list)?: lacks (value\[\]\.)?properties\.LastOwnershipUpdateTime \(string\)$/,
      /^GET locations\/usages list: lacks value\[\]\.isAdjustable \(boolean\)$/,
    ],
  },
  {
    why: 'Azure answers null, or a field of an older interface, where the published one has strings; the emulator leaves them out',
    shown: [
      /^(GET|PUT|DELETE) roleAssignments( list)?: lacks (value\[\]\.)?properties\.(condition|conditionVersion|delegatedManagedIdentityResourceId|description) \(null\)$/,
      /^(PUT|DELETE) roleAssignments: properties\.createdBy is string, not null$/,
      /^(GET|PUT|DELETE) roleAssignments: lacks properties\.canDelegate \(boolean\)$/,
    ],
  },
  {
    why: 'The recorded group or network had other things in it, which show in what it is asked for',
    shown: [
      /^GET networkSecurityGroups: lacks properties\.subnets \(array\)$/,
      /^PUT networkSecurityGroups: lacks properties\.networkInterfaces \(array\)$/,
      /^(GET|PUT) virtualNetworks\/subnets: lacks properties\.ipConfigurations \(array\)$/,
      /^PUT virtualNetworks: lacks properties\.dhcpOptions\.dnsServers \(array\)$/,
      /^GET networkInterfaces list: lacks value\[\]\.properties\.macAddress \(string\)$/,
      /^GET networkInterfaces list: adds value\[\]\.properties\.dnsSettings\.internalDomainNameSuffix$/,
    ],
  },
  {
    why: 'The recorded list had more in it than is made here, or nothing of that kind',
    shown: [
      /^GET resources list: lacks (value\[\] \(object\)|nextLink \(string\))$/,
      /^GET resources list: adds value\[\]\.sku$/,
      /^GET (roleAssignments|users) list: lacks value\[\] \(object\)$/,
      /^GET skus list: lacks value\[\]\.restrictions\[\] \(object\)$/,
    ],
  },
  {
    why: 'The recorded machine had extensions, which an earlier call had made and the replay does not',
    shown: [
      /^(GET|PUT|PATCH) virtualMachines: lacks resources \(array\)$/,
      /^GET virtualMachines list: lacks value\[\]\.resources \(array\)$/,
      /^GET virtualMachines: lacks properties\.instanceView\.(extensions \(array\)|vmAgent\.extensionHandlers\[\] \(object\))$/,
    ],
  },
  {
    why: 'The recorded machine had its disks in a storage account, or an image of its own; here they are managed and of the catalogue',
    shown: [
      /^(GET|PUT) virtualMachines: lacks properties\.storageProfile\.(osDisk|dataDisks\[\])\.vhd \(object\)$/,
      /^(GET|PUT) virtualMachines: adds properties\.storageProfile\.(osDisk|dataDisks\[\])\.managedDisk$/,
      /^PUT virtualMachines: lacks properties\.storageProfile\.imageReference\.id \(string\)$/,
      /^PUT virtualMachines: adds properties\.storageProfile\.imageReference\.(publisher|offer|sku|version)$/,
    ],
  },
  {
    why: 'The recorded image version was made of a disk or had disks of data; here it is made of a machine with one disk',
    shown: [
      /^GET galleries\/images\/versions: lacks properties\.storageProfile\.(dataDiskImages \(array\)|osDiskImage\.source\.id \(string\))$/,
      /^GET galleries\/images\/versions: adds properties\.storageProfile\.source$/,
    ],
  },
  {
    why: 'The recorded assignment of a policy had an identity and no parameters; those that the portal makes are the other way about',
    shown: [
      /^(GET|PUT|DELETE) policyAssignments: lacks (identity \(object\)|location \(string\))$/,
      /^GET policyAssignments: lacks properties\.description \(string\)$/,
      /^(GET|PUT|DELETE) policyAssignments: adds properties\.parameters$/,
    ],
  },
  {
    why: 'The recorded thing had been given tags, by an earlier call or by Azure itself, that are not given here',
    shown: [
      /^(GET|PUT) virtualMachines: lacks tags \(object\)$/,
      /^GET disks list: lacks value\[\]\.tags \(object\)$/,
      /^GET (subscriptions|resourceGroups|galleries\/images\/versions): lacks tags \(object\)$/,
    ],
  },
  {
    why: 'The request asks for an identity or for an edge zone, and the emulator has neither',
    shown: [
      /^(GET|PUT) virtualMachines: lacks identity \(object\)$/,
      /^PUT (publicIPAddresses|virtualNetworks): lacks extendedLocation \(object\)$/,
    ],
  },
  {
    why: 'The request has an empty list in it, which Azure leaves out of its answer and the emulator shows again',
    shown: [
      /^PUT networkInterfaces: adds properties\.ipConfigurations\[\]\.properties\.(applicationGateway|loadBalancer)BackendAddressPools$/,
    ],
  },
  {
    why: "The recorded disk was an empty one, one of them behind a private endpoint; here it is a machine's",
    shown: [
      /^GET disks: lacks properties\.diskAccessId \(string\)$/,
      /^GET disks: adds properties\.(creationData\.imageReference|hyperVGeneration|osType)$/,
    ],
  },
  {
    why: 'Azure answers in either way; the emulator in the one that is recorded more often or asks more of a client',
    shown: [
      /^PUT networkInterfaces: lacks header azure-asyncoperation$/,
      /^GET locations\/operations: nothing to look at$/,
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
    why: 'api-versions of 2016 to 2020 show less and call it otherwise, where no later recording tells from when on',
    shown: [
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
    why: 'Machines made long ago or attached to disks of their own show less; the emulator makes them anew',
    shown: [
      /^(PATCH virtualMachines: adds |GET virtualMachines list: adds value\[\]\.)properties\.osProfile\.(allowExtensionOperations|requireGuestProvisionSignal)$/,
      /^((PUT|PATCH) virtualMachines: adds |GET virtualMachines list: adds value\[\]\.)properties\.osProfile\.linuxConfiguration\.provisionVMAgent$/,
      /^GET virtualMachines: adds properties\.instanceView\.(computerName|osName|osVersion|vmAgent\.extensionHandlers)$/,
      /^PUT virtualMachines: status 400 InvalidParameter, not 201$/,
    ],
  },
  {
    why: 'Images that were retired since stand in no catalogue any more',
    shown: [
      /^GET locations\/publishers\/artifacttypes\/offers\/skus\/versions list: status 404 NotFound, not (200|400)$/,
      /^GET locations\/publishers\/artifacttypes\/offers\/skus\/versions: status 404 NotFound, not 200$/,
    ],
  },
  {
    why: 'The emulator has not got so far, and nothing of the portal needs it: not mended',
    shown: [
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
