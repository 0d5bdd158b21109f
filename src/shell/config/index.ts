export { Failure, failureCodes, type FailureCode } from './failure.js';
export { loadCatalogue, parseCatalogue } from './catalogue.js';
export { openCParser } from './c-parser.js';
export { loadProfiles, parseProfile, readProfiles } from './profiles.js';
export { catalogueHash, openKit, openKnowledge } from './kit.js';
export { packageRoot, programVersion } from './package-root.js';
