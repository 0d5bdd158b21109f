/**
 * Waits that a standard fixes once for many drivers, by the names that the kernel's shared headers give them: a number that
 * becomes one of these is the same number. Where a patch or a kernel tree defines the name, that counts.
 */
export const HEADER_CONSTANTS: ReadonlyMap<string, string> = new Map([
  // drivers/pci/pci.h @ v6.12; PCIe r6.0, sec 6.6.1, and PCIe CEM r5.1, sec 2.9.2
  ['PCIE_LINK_RETRAIN_TIMEOUT_MS', '1000'],
  ['PCIE_PME_TO_L2_TIMEOUT_US', '10000'],
  ['PCIE_RESET_CONFIG_WAIT_MS', '100'],
  ['PCIE_T_PERST_CLK_US', '100'],
  ['PCIE_T_PVPERL_MS', '100'],
  ['PCIE_T_RRS_READY_MS', '100'],
  ['PCI_PM_D2_DELAY', '200'],
  ['PCI_PM_D3COLD_WAIT', '100'],
  ['PCI_PM_D3HOT_WAIT', '10'],
  // drivers/pci/controller/dwc/pcie-designware.h @ v6.12
  ['LINK_WAIT_IATU', '9'],
  ['LINK_WAIT_MAX_IATU_RETRIES', '5'],
  ['LINK_WAIT_MAX_RETRIES', '10'],
  ['LINK_WAIT_SLEEP_MS', '90'],
  // include/linux/usb.h @ v6.12
  ['USB_CTRL_GET_TIMEOUT', '5000'],
  ['USB_CTRL_SET_TIMEOUT', '5000'],
  ['USB_RESUME_TIMEOUT', '40'],
]);
