//! What a line of svnadmin's progress says, in the languages of Subversion.
//!
//! Texts with a translation of their own are tables; the lines of `load` have the same signs in every
//! language (`<<< `, `------- … >>>`, `     * … ...`) and go by these.

/// What a line of progress says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A revision was verified.
    Verified,
    /// A revision was dumped.
    Dumped,
    /// That many revisions were copied by `hotcopy`.
    Copied(u64),
    /// A revision was loaded.
    Loaded,
    /// A shard was packed.
    Packed,
    /// Work on metadata, a revision or a shard began.
    Begun(Work),
    /// A revision or the metadata is corrupt.
    Corrupt,
    /// svnadmin's own words, a part of its summary, or a path of the revision that is loaded.
    Words,
}

/// What has begun and is not yet told to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Metadata, by `verify`; their end is not told.
    Metadata,
    /// A revision, by `load`.
    Revision,
    /// A shard, by `pack`.
    Shard,
}

/// Texts behind `* `; `#` is a revision.
const STARRED: &[(Step, &[&str])] = &[
    (
        Step::Verified,
        &[
            "Verified revision #.",
            "Revision # verifiziert.",
            "Revisión # verificada.",
            "Révision # vérifiée.",
            "Verificato la revisione #.",
            "リビジョン # を検証しました。",
            "검토된 리비전 #.",
            "Kontrollerte revisjon #.",
            "Zweryfikowano wersję #.",
            "Verificada revisão #.",
            "Verifierade revision #.",
            "已校验版本 #。",
        ],
    ),
    (
        Step::Dumped,
        &[
            "Dumped revision #.",
            "Revision # ausgegeben.",
            "Revisión # volcada.",
            "Révision # déchargée.",
            "Scaricato la revisione #.",
            "リビジョン # をダンプしました。",
            "덤프된 리비전 #.",
            "Dumpet revisjon #.",
            "Wykonano zrzut wersji #.",
            "Extraída revisão #.",
            "Dumpade revision #.",
            "已转存版本 #。",
        ],
    ),
    (
        Step::Begun(Work::Metadata),
        &[
            "Verifying metadata at revision # ...",
            "Verifying repository metadata ...",
            "Überprüfe Metadaten der Revision # ...",
            "Überprüfe Metadaten des Projektarchivs ...",
            "Kontrollerar metadata i revision #...",
            "Kontrollerar arkivmetadata...",
        ],
    ),
    (
        Step::Corrupt,
        &[
            "Error verifying revision #.",
            "Error verifying repository metadata.",
            "Fehler bei der Verifikation der Revision #.",
            "Fehler bei der Verifikation der Metadaten des Projektarchivs.",
            "Fel vid kontroll av revision #.",
            "Fel vid kontroll av arkivmetadata.",
        ],
    ),
    (Step::Copied(1), &["Copied revision #.", "Revision # kopiert.", "Kopierade revision #."]),
];

/// `hotcopy` of a packed shard: the texts around its first and last revision.
const COPIED_RANGES: &[[&str; 3]] = &[
    ["Copied revisions from ", " to ", "."],
    ["Revisionen von ", " bis ", " kopiert."],
    ["Kopierade revisioner från ", " till ", "."],
];

/// What `pack` writes before a shard's number.
const PACKING: &[&str] = &[
    "Packing revisions in shard ",
    "Packing revprops in shard ",
    "Packe Revisionen in Fragment ",
    "Packe Revisionseigenschaften in Fragment ",
    "Compaction des révisions du fragment ",
    "Compaction des propriétés de révision du fragment ",
    "Packar revision i skärva ",
    "Packar revisionsegenskaper i skärva ",
    "正在打包版本碎片 ",
    "正在打包版本属性碎片 ",
];

/// What Korean writes behind a shard's number instead.
const PACKING_BEHIND: &[&str] = &[" 조각의 리비전 패킹중", " 조각의 리비전 속성 패킹중"];

/// The line above the corrupt revisions that `--keep-going` lists in the end.
const SUMMARIES: &[&str] = &[
    "-----Summary of corrupt revisions-----",
    "-----Zusammenfassung beschädigter Revisionen-----",
    "-----Sammanfattning av trasiga revisioner-----",
];

/// Reads a line without its time stamp.
pub fn step(text: &str) -> Option<Step> {
    let text = text.trim_ascii_end();
    if let Some(rest) = text.strip_prefix("* ") {
        return starred(rest);
    }
    loading(text).or_else(|| packing(text)).or_else(|| is_words(text).then_some(Step::Words))
}

/// Whether the line is the heading of the summary.
pub fn is_summary(text: &str) -> bool {
    SUMMARIES.contains(&text.trim())
}

/// Whether the last line of a source is the beginning of a line of progress.
pub fn is_cut(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("* ") else {
        return text.len() > 4
            && (PACKING.iter().any(|head| head.starts_with(text))
                || text.starts_with("------- ") && !text.ends_with(" >>>"));
    };
    let begins = |pattern: &&str| match pattern.split_once('#') {
        Some((head, tail)) => {
            let behind =
                rest.strip_prefix(head).map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
            head.starts_with(rest) || behind.is_some_and(|behind| tail.starts_with(behind))
        }
        None => pattern.starts_with(rest),
    };
    rest.len() > 2 && STARRED.iter().any(|(_, patterns)| patterns.iter().any(&begins))
}

fn starred(rest: &str) -> Option<Step> {
    let known = STARRED.iter().find(|(_, patterns)| patterns.iter().any(|pattern| fits(rest, pattern)));
    known.map(|(step, _)| *step).or_else(|| {
        let (first, last) = COPIED_RANGES.iter().find_map(|[head, middle, tail]| {
            rest.strip_prefix(head)?.strip_suffix(tail)?.split_once(middle)
        })?;
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        Some(Step::Copied(last.checked_sub(first)? + 1))
    })
}

/// Whether the text is the pattern with a number in the place of `#`.
fn fits(text: &str, pattern: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('#') else { return text == pattern };
    text.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail)).is_some_and(is_number)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The lines of `svnadmin load`, whatever its language.
fn loading(text: &str) -> Option<Step> {
    let has_number = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
    if let Some(rest) = text.strip_prefix("<<< ") {
        return has_number(rest).then_some(Step::Begun(Work::Revision));
    }
    if let Some(rest) = text.strip_prefix("------- ") {
        return (rest.ends_with(" >>>") && has_number(rest)).then_some(Step::Loaded);
    }
    let path = text.strip_prefix("    ")?.trim_ascii_start().strip_prefix("* ")?;
    path.contains("...").then_some(Step::Words)
}

fn packing(text: &str) -> Option<Step> {
    let head = PACKING.iter().find_map(|head| text.strip_prefix(head));
    let behind = match head {
        Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => {
            let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
            let behind = PACKING_BEHIND.iter().find_map(|tail| rest.strip_prefix(tail))?;
            (rest.len() < text.len()).then_some(behind)?
        }
    };
    let rest = behind.trim_ascii_start().strip_prefix("...")?;
    Some(if rest.is_empty() { Step::Begun(Work::Shard) } else { Step::Packed })
}

/// svnadmin's messages, and the lines of its summary.
fn is_words(text: &str) -> bool {
    let of_summary = text.strip_prefix("    r").is_some_and(|rest| {
        rest.split_once(": ")
            .is_some_and(|(revision, error)| is_number(revision.trim()) && error.starts_with('E'))
    });
    of_summary
        || SUMMARIES.contains(&text)
        || (text.starts_with("svnadmin") && text.contains(": "))
        || text.starts_with("WARNING 0x")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_many_languages() {
        for (text, expect) in [
            ("* Verified revision 7.", Some(Step::Verified)),
            ("* 已校验版本 7。", Some(Step::Verified)),
            ("* Dumped revision 0.", Some(Step::Dumped)),
            ("* Dumpet revisjon 12.", Some(Step::Dumped)),
            ("* Copied revision 3.", Some(Step::Copied(1))),
            ("* Copied revisions from 0 to 999.", Some(Step::Copied(1000))),
            ("* Revisionen von 1000 bis 1999 kopiert.", Some(Step::Copied(1000))),
            ("* Verifying repository metadata ...", Some(Step::Begun(Work::Metadata))),
            ("* Verifying metadata at revision 6013 ...", Some(Step::Begun(Work::Metadata))),
            ("* Error verifying revision 3.", Some(Step::Corrupt)),
            ("* Error verifying repository metadata.", Some(Step::Corrupt)),
            ("<<< Started new transaction, based on original revision 1", Some(Step::Begun(Work::Revision))),
            (
                "<<< Neue Transaktion basierend auf Originalrevision 1 gestartet",
                Some(Step::Begun(Work::Revision)),
            ),
            ("     * adding path : trunk/a.c ... done.", Some(Step::Words)),
            ("    * sto aggiungendo il percorso: x ...fatto.", Some(Step::Words)),
            ("     * editing path : a ...", Some(Step::Words)),
            ("------- Committed revision 1 >>>", Some(Step::Loaded)),
            ("------- Committed new rev 5 (loaded from original rev 7) >>>", Some(Step::Loaded)),
            ("------- Übertrage Revision 1 >>>", Some(Step::Loaded)),
            ("------- 提交后版本 1 >>>", Some(Step::Loaded)),
            ("Packing revisions in shard 0...done.", Some(Step::Packed)),
            ("Packing revprops in shard 12...done.", Some(Step::Packed)),
            ("Packe Revisionen in Fragment 3 ...erledigt.", Some(Step::Packed)),
            ("3 조각의 리비전 패킹중...처리되었습니다.", Some(Step::Packed)),
            ("Packing revisions in shard 3...", Some(Step::Begun(Work::Shard))),
            ("-----Summary of corrupt revisions-----", Some(Step::Words)),
            ("    r3: E200046: LZ4 decompression failed", Some(Step::Words)),
            ("svnadmin: E160004: Checksum mismatch", Some(Step::Words)),
            ("WARNING 0x0000: Referencing data in revision 3", Some(Step::Words)),
            ("* item 3.", None),
            ("    r3: fine", None),
            ("------- heading", None),
            ("------- 2013 -------", None),
            ("<<< HEAD", None),
            ("", None),
        ] {
            assert_eq!(step(text), expect, "{text}");
        }
    }

    #[test]
    fn beginnings_of_lines() {
        for (text, expect) in [
            ("* Verif", true),
            ("* Verified revision 12", true),
            ("* Dumped revision ", true),
            ("* Revision 7 verif", true),
            ("Packing rev", true),
            ("------- Committed rev", true),
            ("* item", false),
            ("* ", false),
            ("Pack", false),
        ] {
            assert_eq!(is_cut(text), expect, "{text}");
        }
    }
}
