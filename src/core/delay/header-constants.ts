/** What a header gives a name, and the folder that the name means it in: others have constants of the same name. */
type HeaderConstant = { readonly text: string; readonly under?: string };

const dwc = 'drivers/pci/controller/dwc/';

/**
 * Waits that a standard fixes once for many drivers, by the names that the kernel's shared headers give them: a number that
 * becomes one of these is the same number. Where a patch or a kernel tree defines the name, that counts.
 */
export const HEADER_CONSTANTS: ReadonlyMap<string, HeaderConstant> = new Map([
  // drivers/pci/pci.h @ v6.12; PCIe r6.0, sec 6.6.1, and PCIe CEM r5.1, sec 2.9.2
  ['PCIE_LINK_RETRAIN_TIMEOUT_MS', { text: '1000' }],
  ['PCIE_PME_TO_L2_TIMEOUT_US', { text: '10000' }],
  ['PCIE_RESET_CONFIG_WAIT_MS', { text: '100' }],
  ['PCIE_T_PERST_CLK_US', { text: '100' }],
  ['PCIE_T_PVPERL_MS', { text: '100' }],
  ['PCIE_T_RRS_READY_MS', { text: '100' }],
  ['PCI_PM_D2_DELAY', { text: '200' }],
  ['PCI_PM_D3COLD_WAIT', { text: '100' }],
  ['PCI_PM_D3HOT_WAIT', { text: '10' }],
  // drivers/pci/controller/dwc/pcie-designware.h @ v6.12
  ['LINK_WAIT_IATU', { text: '9', under: dwc }],
  ['LINK_WAIT_MAX_IATU_RETRIES', { text: '5', under: dwc }],
  ['LINK_WAIT_MAX_RETRIES', { text: '10', under: dwc }],
  ['LINK_WAIT_SLEEP_MS', { text: '90', under: dwc }],
  // include/linux/usb.h @ v6.12
  ['USB_CTRL_GET_TIMEOUT', { text: '5000' }],
  ['USB_CTRL_SET_TIMEOUT', { text: '5000' }],
  ['USB_RESUME_TIMEOUT', { text: '40' }],
]);
