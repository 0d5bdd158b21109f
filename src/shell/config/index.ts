export { readCertificates } from './certificates.js';
export { openCParser } from './c-parser.js';
export { loadCatalogue, parseCatalogue } from './catalogue.js';
export { Failure, failureCodes, failures, type FailureCode, type Retry } from './failure.js';
export { catalogueHash, compileData, compiledDataPath, openCatalogue, openKit, openKnowledge } from './kit.js';
export { unxz } from './unxz.js';
export { findNearest } from './nearest.js';
export { packageRoot, programVersion } from './package-root.js';
export { parsePeriod } from './period.js';
export { policyFileSchema, policySchema, worthReasons } from './policy-schema.js';
export { loadPolicy, parsePolicy } from './policy.js';
export { loadProfiles, parseProfile, readProfiles } from './profiles.js';
export { readSecret } from './secret.js';
export { storeUrl } from './store-url.js';
export {
  settingsSchema,
  type FolderSettings,
  type ImapSettings,
  type SecretReference,
  type Settings,
} from './settings-schema.js';
export { loadSettings } from './settings.js';
export { bare, readStrictYaml, type Complaint, type Strict } from './strict-yaml.js';
