/** Every operation that the Azure adapter uses. A test compares this list with the actual requests. */
export const OPERATIONS_IN_USE = [
  'ResourceGroups_Get',
  'ResourceGroups_CreateOrUpdate',
  'VirtualNetworks_Get',
  'VirtualNetworks_CreateOrUpdate',
  'NetworkSecurityGroups_Get',
  'NetworkSecurityGroups_CreateOrUpdate',
  'NetworkSecurityGroups_Delete',
  'SecurityRules_CreateOrUpdate',
  'SecurityRules_Delete',
  'PublicIPAddresses_CreateOrUpdate',
  'PublicIPAddresses_Get',
  'PublicIPAddresses_Delete',
  'NetworkInterfaces_CreateOrUpdate',
  'NetworkInterfaces_Get',
  'NetworkInterfaces_Delete',
  'Disks_Get',
  'Disks_Delete',
  'VirtualMachines_CreateOrUpdate',
  'VirtualMachines_Get',
  'VirtualMachines_Delete',
  'VirtualMachines_Start',
  'VirtualMachines_Deallocate',
  'VirtualMachines_Restart',
  'VirtualMachines_ListAll',
  'VirtualMachineExtensions_Get',
  'VirtualMachineExtensions_CreateOrUpdate',
  'Galleries_Get',
  'Galleries_CreateOrUpdate',
  'GalleryImages_Get',
  'GalleryImages_CreateOrUpdate',
  'GalleryImages_Delete',
  'GalleryImageVersions_Get',
  'GalleryImageVersions_CreateOrUpdate',
  'GalleryImageVersions_Delete',
  'ResourceSkus_List',
  'Usage_List',
  'Usages_List',
  'MarketplaceAgreements_Get',
] as const

/**
 * Reads of lists that replace individual reads if several reads of one group coincide. Their occurrence depends on
 * timing.
 */
export const BATCHED_READS = ['Disks_ListByResourceGroup', 'NetworkInterfaces_List', 'PublicIPAddresses_List'] as const

export const SANDBOX_OPERATIONS_IN_USE = [
  'ResourceGroups_Get',
  'ResourceGroups_CreateOrUpdate',
  'ResourceGroups_Delete',
  'Resources_ListByResourceGroup',
  'PolicyAssignments_Create',
  'RoleAssignments_ListForResourceGroup',
  'RoleAssignments_Create',
  'RoleAssignments_Delete',
  'VirtualMachines_List',
  'VirtualMachines_InstanceView',
  'VirtualMachines_Deallocate',
  'Disks_ListByResourceGroup',
] as const
