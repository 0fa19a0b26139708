//! Conditions from paths by a pattern.

use triptych_model::{PathMatch, PatternError, SuggestedPattern};

/// What a path gives under a pattern; `Ok(None)` where it does not match.
pub fn match_path(_pattern: &str, _path: &str) -> Result<Option<PathMatch>, PatternError> {
    Ok(None)
}

/// Guesses patterns for a set of paths.
pub fn suggest_patterns(_paths: &[&str]) -> Vec<SuggestedPattern> {
    Vec::new()
}
